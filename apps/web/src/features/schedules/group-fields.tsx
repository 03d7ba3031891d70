import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { TextInput } from '@mantine/core';
import type { ScheduleFarm } from '@headrace/contract/schedule-templates';
import { FieldGroup } from '../../forms/fields.tsx';
import type { RecordForm } from '../../forms/use-record-form.ts';
import { foldText } from '../../ui/fold-text.ts';
import { PlainButton } from '../../ui/plain-button.tsx';
import { GroupRow } from './group-row.tsx';
import { keepFromSaving } from './keep-from-saving.ts';
import type { NamedGroup } from './plan-result.ts';
import { durationField, linesField } from './validate-template.ts';
import type { ChosenGroup, TemplateValues } from './template-values.ts';
import classes from './template-form.module.css';

export interface GroupFieldsProps {
  form: RecordForm<TemplateValues>;
  farm: ScheduleFarm;
  /** Of the template, and no longer on the farm. */
  gone: readonly NamedGroup[];
}

/** Fewer are found by looking. */
const FIND_FROM = 8;

/** Which groups water, on how many lines each and for how long. */
export function GroupFields({ form, farm, gone }: GroupFieldsProps) {
  const { values, error, touch } = form;
  const [sought, setSought] = useState('');
  const chosenOf = useMemo(() => new Map(values.groups.map((group) => [group.uid, group])), [values.groups]);
  const shown = useMemo(() => found(farm.groups, sought), [farm.groups, sought]);
  const setGroups = useLatest((change: (chosen: Map<string, ChosenGroup>) => void) => {
    const next = new Map(chosenOf);
    change(next);
    form.patch({ groups: inOrder(next, farm, gone) });
    touch('groups');
  });
  const patch = useCallback(
    (uid: string, group: ChosenGroup | null) =>
      setGroups((chosen) => (group ? chosen.set(uid, group) : chosen.delete(uid))),
    [setGroups],
  );
  const leave = useLatest(touch);
  const chooseAll = (groups: ScheduleFarm['groups']) =>
    setGroups((chosen) => {
      for (const { uid } of groups) if (!chosen.has(uid)) chosen.set(uid, { uid, lines: 1, duration: '' });
    });
  // Each row says its depth; typing doesn't wait for sixty of them.
  const minutes = useDeferredValue(Number(values.duration));
  return (
    <FieldGroup
      name="groups"
      label="Groups"
      required
      error={error('groups')}
      hint={countText(values.groups, farm)}
    >
      <ChooseMany groups={shown} onChoose={chooseAll} onClear={() => setGroups((chosen) => chosen.clear())} />
      {farm.groups.length >= FIND_FROM && (
        <TextInput
          size="md"
          aria-label="Find a group"
          placeholder="Find a group"
          value={sought}
          onChange={(event) => setSought(event.currentTarget.value)}
          onKeyDown={keepFromSaving}
        />
      )}
      <ul className={classes.groups} aria-label="Groups of the farm">
        {gone
          .filter(({ uid }) => chosenOf.has(uid))
          .map(({ uid, name }) => (
            <GroupRow
              key={uid}
              {...{ uid, name, patch, leave, minutes }}
              sprinklers={null}
              water={farm.walConfig}
              chosen={chosenOf.get(uid)}
              linesError={undefined}
              durationError={undefined}
            />
          ))}
        {shown.map(({ uid, name, ipcs, walConfig }) => (
          <GroupRow
            key={uid}
            {...{ uid, name, patch, leave, minutes }}
            sprinklers={ipcs.length}
            water={walConfig}
            chosen={chosenOf.get(uid)}
            linesError={error(linesField(uid))}
            durationError={error(durationField(uid))}
          />
        ))}
      </ul>
      {shown.length === 0 && <p className={classes.none}>{noneText(farm)}</p>}
    </FieldGroup>
  );
}

interface ChooseProps {
  groups: ScheduleFarm['groups'];
  onChoose: (groups: ScheduleFarm['groups']) => void;
  onClear: () => void;
}

/** Those in the list at once: the lateral ones alone where there are others too, since a sprinkler is in one lateral group at most. */
function ChooseMany({ groups, onChoose, onClear }: ChooseProps) {
  const filled = groups.filter(({ ipcs }) => ipcs.length > 0);
  const lateral = filled.filter(({ isLateral }) => isLateral);
  const isMixed = lateral.length > 0 && lateral.length < filled.length;
  return (
    <div className={classes.many}>
      {isMixed && (
        <PlainButton onClick={() => onChoose(lateral)}>Choose {lateral.length} lateral groups</PlainButton>
      )}
      <PlainButton onClick={() => onChoose(filled)}>Choose all {filled.length}</PlainButton>
      <PlainButton onClick={onClear}>Choose none</PlainButton>
    </div>
  );
}

function found(groups: ScheduleFarm['groups'], sought: string): ScheduleFarm['groups'] {
  const folded = foldText(sought);
  return folded === '' ? groups : groups.filter(({ name }) => foldText(name).includes(folded));
}

/** As the farm lists them, so that choosing in another order is no change. */
function inOrder(chosen: ReadonlyMap<string, ChosenGroup>, farm: ScheduleFarm, gone: readonly NamedGroup[]) {
  return [...gone, ...farm.groups].flatMap(({ uid }) => chosen.get(uid) ?? []);
}

function countText(chosen: readonly ChosenGroup[], farm: ScheduleFarm): string {
  const uids = new Set(chosen.map(({ uid }) => uid));
  const groups = farm.groups.filter(({ uid }) => uids.has(uid));
  const sprinklers = groups.reduce((sum, { ipcs }) => sum + ipcs.length, 0);
  return `${chosen.length} of ${farm.groups.length} chosen, ${sprinklers} sprinklers. On each line one sprinkler waters at a time.`;
}

const noneText = (farm: ScheduleFarm) =>
  farm.groups.length === 0
    ? "This farm has no group yet. Add one on the farm's page."
    : 'No group has this name.';

/** The same function always, which does what the latest one does. */
function useLatest<A extends unknown[], R>(work: (...given: A) => R): (...given: A) => R {
  const latest = useRef(work);
  useEffect(() => {
    latest.current = work;
  });
  return useCallback((...given: A) => latest.current(...given), []);
}
