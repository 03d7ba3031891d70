import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { FieldGroup } from '../../forms/fields.tsx';
import type { FieldProps } from '../../forms/use-record-form.ts';
import type { TimeEntry } from './supply-values.ts';
import classes from './schedule-view.module.css';

const MOST = 24;
const WHY_MAX = 60;

export interface TimesFieldProps extends FieldProps<readonly TimeEntry[]> {
  label: string;
  hint: string;
  /** What is added: "Add a time for water". */
  add: string;
  example: string;
}

/** Times of each day, each with why it is one. */
export function TimesField({ name, value, error, onChange, label, hint, add, example }: TimesFieldProps) {
  const change = (place: number, to: Partial<TimeEntry>) =>
    onChange(value.map((time, at) => (at === place ? { ...time, ...to } : time)));
  return (
    <FieldGroup name={name} label={label} hint={hint} error={error}>
      {value.length > 0 && (
        <ul className={classes.times}>
          {value.map((time, place) => (
            // They have no name of their own.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={place} className={classes.time}>
              <Clock
                label={`${label} ${place + 1}, from`}
                value={time.from}
                onChange={(from) => change(place, { from })}
              />
              <Clock
                label={`${label} ${place + 1}, to`}
                value={time.to}
                onChange={(to) => change(place, { to })}
              />
              <TextInput
                aria-label={`${label} ${place + 1}, why`}
                placeholder={example}
                maxLength={WHY_MAX}
                value={time.why}
                onChange={(event) => change(place, { why: event.currentTarget.value })}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                size={44}
                aria-label={`Remove ${label.toLowerCase()} ${place + 1}`}
                onClick={() => onChange(value.filter((_, at) => at !== place))}
              >
                <IconTrash size={20} stroke={1.7} aria-hidden="true" />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      {value.length < MOST && (
        <Button
          variant="default"
          className={classes.add ?? ''}
          leftSection={<IconPlus size={18} aria-hidden="true" />}
          onClick={() => onChange([...value, { from: '', to: '', why: '' }])}
        >
          {add}
        </Button>
      )}
    </FieldGroup>
  );
}

interface ClockProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

const Clock = ({ label, value, onChange }: ClockProps) => (
  <TextInput
    type="time"
    aria-label={label}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);
