import { useState } from 'react';
import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { MAIN_NAME_MAX, MAINS_MAX } from '@headrace/contract/limits';
import { FieldGroup } from '../../forms/fields.tsx';
import type { FieldProps } from '../../forms/use-record-form.ts';
import { keepFromSaving } from './keep-from-saving.ts';
import { countText, type EnteredMain, groupNames, NO_MAIN } from './main-values.ts';
import type { NamedGroup } from './plan-result.ts';
import classes from './mains-field.module.css';

export interface MainsFieldProps extends FieldProps<readonly EnteredMain[]> {
  hint: string;
  /** That can hang on a main, in the order in which they are listed. */
  groups: readonly NamedGroup[];
}

/** Pipes that give less than the pump, with the groups on them. */
export function MainsField({ name, value, error, onChange, hint, groups }: MainsFieldProps) {
  const change = (place: number, to: Partial<EnteredMain>) =>
    onChange(value.map((main, at) => (at === place ? { ...main, ...to } : main)));
  return (
    <FieldGroup name={name} label="Mains" hint={hint} error={error}>
      {value.length > 0 && (
        <ul className={classes.list}>
          {value.map((main, place) => (
            // They have no name of their own until one is typed.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={place} className={classes.main}>
              <MainBoxes
                place={place + 1}
                main={main}
                onChange={(to) => change(place, to)}
                onRemove={() => onChange(value.filter((_main, at) => at !== place))}
              />
              <ChooseGroups
                label={`Groups on main ${main.name || place + 1}`}
                chosen={main.groups}
                groups={groups}
                onChange={(chosen) => change(place, { groups: chosen })}
              />
            </li>
          ))}
        </ul>
      )}
      {value.length < MAINS_MAX && (
        <Button
          variant="default"
          className={classes.add ?? ''}
          leftSection={<IconPlus size={18} aria-hidden="true" />}
          onClick={() => onChange([...value, NO_MAIN])}
        >
          Add a main
        </Button>
      )}
    </FieldGroup>
  );
}

interface BoxesProps {
  place: number;
  main: EnteredMain;
  onChange: (to: Partial<EnteredMain>) => void;
  onRemove: () => void;
}

const MainBoxes = ({ place, main, onChange, onRemove }: BoxesProps) => (
  <div className={classes.boxes}>
    <TextInput
      size="md"
      aria-label={`Main ${place}, name`}
      placeholder="West main"
      maxLength={MAIN_NAME_MAX}
      value={main.name}
      onChange={(event) => onChange({ name: event.currentTarget.value })}
      onKeyDown={keepFromSaving}
    />
    <TextInput
      size="md"
      aria-label={`Main ${place}, L/s`}
      inputMode="decimal"
      autoComplete="off"
      rightSection={<span className="unit">L/s</span>}
      rightSectionWidth={48}
      value={main.maxLps ?? ''}
      onChange={(event) => onChange({ maxLps: event.currentTarget.value })}
      onKeyDown={keepFromSaving}
    />
    <ActionIcon
      variant="subtle"
      color="gray"
      size={44}
      aria-label={`Remove main ${place}`}
      onClick={onRemove}
    >
      <IconTrash size={20} stroke={1.7} aria-hidden="true" />
    </ActionIcon>
  </div>
);

interface ChooseProps {
  label: string;
  chosen: readonly string[];
  groups: readonly NamedGroup[];
  onChange: (chosen: readonly string[]) => void;
}

/** Folded away where some are chosen already: a farm may have hundreds of groups. */
function ChooseGroups({ label, chosen, groups, onChange }: ChooseProps) {
  const [isOpen, setIsOpen] = useState(chosen.length === 0);
  const turn = (uid: string) => {
    // One that was deleted meanwhile has no box to take it out by.
    const here = chosen.filter((one) => groups.some((group) => group.uid === one));
    onChange(here.includes(uid) ? here.filter((one) => one !== uid) : [...here, uid]);
  };
  return (
    <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className={classes.summary}>
        {groupNames(chosen, groups) ||
          (chosen.length > 0 ? countText(chosen) : 'Choose the groups on this main')}
      </summary>
      {isOpen && (
        <ul className={classes.groups} aria-label={label}>
          {groups.map(({ uid, name }) => (
            <li key={uid}>
              <label className={classes.group}>
                <input type="checkbox" checked={chosen.includes(uid)} onChange={() => turn(uid)} />
                {name}
              </label>
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}
