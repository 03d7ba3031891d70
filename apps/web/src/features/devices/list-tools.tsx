import { NativeSelect, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useIsMobile } from '../../ui/use-is-mobile.ts';
import { deviceCount } from '../../device-records/device-kinds.ts';
import type { Choice, Listed } from '../../device-records/device-record.ts';
import type { ListKind } from './list-kind.ts';
import { FIRST_SORT, nameColumn, NONE } from './list-view.ts';
import type { ListView } from './use-list-view.ts';
import classes from './device-list.module.css';
import { wholeText } from '@headrace/contract/rules/number-text';

export interface ListToolsProps<T extends Listed> {
  kind: ListKind<T>;
  view: ListView<T>;
  total: number;
}

/** Search, filters, and how many there are. */
export function ListTools<T extends Listed>({ kind, view, total }: ListToolsProps<T>) {
  const isMobile = useIsMobile();
  const { search, typed, counts, type, change } = view;
  const filters = kind.filters.map(({ id, label }) => ({
    value: id,
    label: `${label} (${wholeText(counts.get(id) ?? 0)})`,
  }));
  return (
    <div role="search" aria-label={`Find ${kind.kind.many}`} className={classes.tools}>
      <TextInput
        type="search"
        size="md"
        className={classes.search ?? ''}
        aria-label={`Search ${kind.kind.many}`}
        placeholder={kind.kind.form === 'poi' ? 'Name' : 'Name, serial number or MAC'}
        leftSection={<IconSearch size={18} stroke={1.7} aria-hidden="true" />}
        value={typed}
        maxLength={80}
        onChange={(event) => type(event.currentTarget.value)}
      />
      <NativeSelect
        size="md"
        aria-label="Show"
        data={[{ value: '', label: `All (${wholeText(total)})` }, ...filters]}
        value={search.show ?? ''}
        onChange={(event) => change({ show: event.currentTarget.value || undefined })}
      />
      {kind.groups && (
        <ChoiceSelect
          label="Group"
          choices={kind.groups.choices}
          value={search.group}
          onChange={(group) => change({ group })}
        />
      )}
      {kind.gateways && (
        <ChoiceSelect
          label="Gateway"
          choices={kind.gateways.choices}
          value={search.gateway}
          onChange={(gateway) => change({ gateway })}
        />
      )}
      {isMobile && <SortSelect kind={kind} view={view} />}
      <output className={classes.count}>
        {view.isNarrowed
          ? `${wholeText(view.shown.length)} of ${deviceCount(total, kind.kind)}`
          : deviceCount(total, kind.kind)}
      </output>
    </div>
  );
}

interface ChoiceSelectProps {
  label: 'Group' | 'Gateway';
  choices: readonly Choice[];
  value: string | undefined;
  onChange: (id: string | undefined) => void;
}

function ChoiceSelect({ label, choices, value, onChange }: ChoiceSelectProps) {
  if (choices.length === 0) return null;
  const any = { value: '', label: `Any ${label.toLowerCase()}` };
  const none = { value: NONE, label: `No ${label.toLowerCase()}` };
  return (
    <NativeSelect
      size="md"
      aria-label={label}
      data={[any, none, ...choices.map(({ id, name }) => ({ value: id, label: name }))]}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  );
}

/** Cards have no column heads to sort by. */
function SortSelect<T extends Listed>({ kind, view }: Pick<ListToolsProps<T>, 'kind' | 'view'>) {
  const columns = [nameColumn<T>(), ...kind.columns];
  const data = columns.flatMap(({ id, label }) => [
    { value: id, label: `${label} ↑` },
    { value: `-${id}`, label: `${label} ↓` },
  ]);
  return (
    <NativeSelect
      size="md"
      aria-label="Sort by"
      data={data}
      value={view.sort}
      onChange={(event) => {
        const sort = event.currentTarget.value;
        view.change({ sort: sort === FIRST_SORT ? undefined : sort });
      }}
    />
  );
}
