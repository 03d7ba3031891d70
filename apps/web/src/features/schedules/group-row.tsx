import { memo } from 'react';
import type { WaterApplication } from '@headrace/contract/farms';
import { depthOf } from '@headrace/contract/rules/water-application';
import { type EnteredNumber, enteredNumber } from '../../forms/fields.tsx';
import { durationField, linesField } from './validate-template.ts';
import type { ChosenGroup } from './template-values.ts';
import classes from './template-form.module.css';

export interface GroupRowProps {
  uid: string;
  name: string;
  /** null: it is no longer on the farm. */
  sprinklers: number | null;
  water: WaterApplication;
  /** Of the template, for a group without its own. */
  minutes: number;
  chosen: ChosenGroup | undefined;
  linesError: string | undefined;
  durationError: string | undefined;
  patch: (uid: string, group: ChosenGroup | null) => void;
  leave: (field: string) => void;
}

/** A group to choose. Plain boxes: there may be hundreds of rows, and typing in one must not wait for the others. */
export const GroupRow = memo(function GroupRow(props: GroupRowProps) {
  const { uid, name, chosen, linesError, durationError, patch, leave } = props;
  const box = (value: EnteredNumber, field: string, label: string, fault: string | undefined) => ({
    name: field,
    label: `${label} of ${name}`,
    value,
    fault,
    onLeave: () => leave(field),
  });
  return (
    <li className={classes.group} data-chosen={chosen !== undefined || undefined}>
      <label className={classes.choose}>
        <input
          type="checkbox"
          checked={chosen !== undefined}
          onChange={() => patch(uid, chosen ? null : { uid, lines: 1, duration: '' })}
        />
        <span>
          {name} <span className={classes.what}>{whatText(props)}</span>
        </span>
      </label>
      {chosen && props.sprinklers !== null && (
        <div className={classes.own}>
          <Box
            {...box(chosen.lines, linesField(uid), 'Lines', linesError)}
            unit={Number(chosen.lines) === 1 ? 'line' : 'lines'}
            onEntered={(lines) => patch(uid, { ...chosen, lines })}
          />
          <Box
            {...box(chosen.duration, durationField(uid), 'Minutes', durationError)}
            unit="min"
            placeholder={Number.isFinite(props.minutes) ? String(props.minutes) : ''}
            onEntered={(duration) => patch(uid, { ...chosen, duration })}
          />
        </div>
      )}
      {(linesError ?? durationError) && <p className={classes.fault}>{linesError ?? durationError}</p>}
    </li>
  );
});

function whatText({ sprinklers, chosen, minutes, water }: GroupRowProps): string {
  if (sprinklers === null) return 'no longer on the farm';
  const count = sprinklers === 1 ? '1 sprinkler' : `${sprinklers} sprinklers`;
  const own = enteredNumber(chosen?.duration) ?? minutes;
  return chosen && own >= 1 ? `${count}, ${depthOf(water, own)} mm` : count;
}

interface BoxProps {
  name: string;
  label: string;
  unit: string;
  value: EnteredNumber;
  placeholder?: string;
  fault: string | undefined;
  onEntered: (value: string) => void;
  onLeave: () => void;
}

const Box = ({ name, label, unit, value, placeholder, fault, onEntered, onLeave }: BoxProps) => (
  <label className={classes.box}>
    <input
      className="num"
      name={name}
      aria-label={label}
      aria-invalid={fault !== undefined || undefined}
      inputMode="numeric"
      autoComplete="off"
      placeholder={placeholder}
      value={value ?? ''}
      onChange={(event) => onEntered(event.currentTarget.value)}
      onBlur={onLeave}
    />
    <span className="unit">{unit}</span>
  </label>
);
