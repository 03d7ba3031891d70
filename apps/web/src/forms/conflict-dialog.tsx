import { useState } from 'react';
import { Button } from '@mantine/core';
import { exactTime } from '../ui/format.ts';
import { useIsMobile } from '../ui/use-is-mobile.ts';
import { Dialog, Ways } from './dialog.tsx';
import { differing, merged, proposed, type Conflict, type Side } from './merge.ts';
import type { LastChange } from './use-last-change.ts';
import classes from './forms.module.css';

/** What each field is called, and how its value reads; without `text` as it is. */
export type FieldLabels<V> = {
  readonly [K in keyof V]: { readonly label: string; readonly text?: (value: V[K]) => string };
};

export interface ConflictDialogProps<V extends object> {
  conflict: Conflict<V>;
  labels: FieldLabels<V>;
  /** Who saved the other version, and when; null where that isn't known. */
  last?: LastChange | null | undefined;
  onChosen: (values: V) => void;
  onClose: () => void;
  /** What giving up is called. */
  back?: string;
}

const sides: readonly Side[] = ['mine', 'theirs'];

/** Two people changed the same record: field by field, whose is kept. */
export function ConflictDialog<V extends object>(props: ConflictDialogProps<V>) {
  const { conflict, labels, last = null, onChosen, onClose, back = 'Back to the form' } = props;
  const isMobile = useIsMobile();
  const names = differing(conflict);
  const allOf = (side: (name: keyof V) => Side) =>
    Object.fromEntries(names.map((name) => [name, side(name)])) as Partial<Record<keyof V, Side>>;
  const [chosen, setChosen] = useState(() => allOf((name) => proposed(conflict, name)));
  const save = () => onChosen(merged(conflict, chosen));
  return (
    <Dialog onClose={onClose} title="Somebody else changed this meanwhile" size={760} isFullScreen={isMobile}>
      <p className={classes.text}>{introduction(names.length, last)}</p>
      {names.length > 1 && (
        <div className={classes.allWays}>
          <Button variant="default" onClick={() => setChosen(allOf(() => 'mine'))}>
            All mine
          </Button>
          <Button variant="default" onClick={() => setChosen(allOf(() => 'theirs'))}>
            {last ? `All of ${last.by}` : 'All theirs'}
          </Button>
        </div>
      )}
      {names.map((name) => (
        <Field
          key={name}
          name={name}
          label={labels[name].label}
          theirs={last?.by ?? 'Theirs'}
          texts={{
            mine: textOf(labels[name].text, conflict.mine[name]),
            theirs: textOf(labels[name].text, conflict.theirs[name]),
          }}
          side={chosen[name] ?? 'mine'}
          onChange={(side) => setChosen({ ...chosen, [name]: side })}
        />
      ))}
      <Ways>
        <Button variant="default" onClick={onClose}>
          {back}
        </Button>
        <Button onClick={save}>Save</Button>
      </Ways>
    </Dialog>
  );
}

function introduction(fields: number, last: LastChange | null): string {
  const who = last ? `${last.by} saved this ${exactTime(last.at)}. ` : '';
  if (fields === 0)
    return `${who}${last ? 'It is' : 'They saved'} the same as yours. Save once more to go on.`;
  return `${who}Nothing of yours is saved yet. Choose what to keep where the two differ, then save.`;
}

interface FieldChoice {
  name: string;
  label: string;
  /** Whose the other version is. */
  theirs: string;
  texts: Record<Side, string>;
  side: Side;
  onChange: (side: Side) => void;
}

function Field({ name, label, theirs, texts, side, onChange }: FieldChoice) {
  return (
    <fieldset className={classes.versus}>
      <legend>{label}</legend>
      {sides.map((each) => (
        <label key={each} className={classes.version}>
          <input type="radio" name={`side-${name}`} checked={each === side} onChange={() => onChange(each)} />
          <span>
            <span className={classes.whose}>{each === 'mine' ? 'Mine' : theirs}</span>
            {texts[each]}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** How a value reads in a sentence or a list. */
export function textOf<T>(text: ((value: T) => string) | undefined, value: T): string {
  if (text) return text(value) || 'Nothing';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return String(value ?? '').trim() || 'Nothing';
}
