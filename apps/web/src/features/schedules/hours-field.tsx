import { ActionIcon, Button } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { WINDOWS_MAX } from '@headrace/contract/limits';
import { FieldGroup } from '../../forms/fields.tsx';
import type { FieldProps } from '../../forms/use-record-form.ts';
import { ClockField } from './clock-field.tsx';
import type { EnteredWindow } from './template-values.ts';
import classes from './template-form.module.css';

export interface HoursFieldProps extends FieldProps<readonly EnteredWindow[]> {
  label: string;
  hint: string;
  /** What is added: "Add hours for water". */
  add: string;
}

/** Hours of each day; those that end where they begin or before go over midnight. */
export function HoursField({ name, value, error, onChange, label, hint, add }: HoursFieldProps) {
  const change = (place: number, to: Partial<EnteredWindow>) =>
    onChange(value.map((window, at) => (at === place ? { ...window, ...to } : window)));
  return (
    <FieldGroup name={name} label={label} hint={hint} error={error}>
      {value.map((window, place) => (
        // They have no name of their own.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={place} className={classes.hours}>
          <ClockField
            aria-label={`${label} ${place + 1}, from`}
            value={window.from}
            onChange={(from) => change(place, { from })}
          />
          <span aria-hidden="true">–</span>
          <ClockField
            aria-label={`${label} ${place + 1}, to`}
            value={window.to}
            onChange={(to) => change(place, { to })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={44}
            aria-label={`Remove ${label.toLowerCase()} ${place + 1}`}
            onClick={() => onChange(value.filter((_window, at) => at !== place))}
          >
            <IconTrash size={20} stroke={1.7} aria-hidden="true" />
          </ActionIcon>
        </div>
      ))}
      {value.length < WINDOWS_MAX && (
        <Button
          variant="default"
          className={classes.add ?? ''}
          leftSection={<IconPlus size={18} aria-hidden="true" />}
          onClick={() => onChange([...value, { from: '', to: '' }])}
        >
          {add}
        </Button>
      )}
    </FieldGroup>
  );
}
