import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { WINDOWS_MAX } from '@headrace/contract/limits';
import { ClockField } from './clock-field.tsx';
import { FieldGroup } from './fields.tsx';
import type { FieldProps } from './use-record-form.ts';
import classes from './hours-field.module.css';

/** Hours of a day as they are entered, HH:mm. */
export interface EnteredHours {
  readonly from: string;
  readonly to: string;
  /** Why they are; only where the field asks for it. */
  readonly why?: string;
}

export interface HoursFieldProps<Hours extends EnteredHours> extends FieldProps<readonly Hours[]> {
  label: string;
  hint: string;
  /** The button's text: "Add hours for water". */
  add: string;
  /** What is added. With `why`, the reason is asked for too. */
  empty: Hours;
  /** Of a reason: "night tariff". */
  example?: string;
}

const WHY_MAX = 60;

/** Hours of each day; those that end at or before their start go over midnight. */
export function HoursField<Hours extends EnteredHours>(props: HoursFieldProps<Hours>) {
  const { name, value, error, onChange, label, hint, add, empty, example } = props;
  const change = (place: number, to: Partial<EnteredHours>) =>
    onChange(value.map((hours, at) => (at === place ? { ...hours, ...to } : hours)));
  return (
    <FieldGroup name={name} label={label} hint={hint} error={error}>
      {value.length > 0 && (
        <ul className={classes.list}>
          {value.map((hours, place) => {
            const spoken = `${label} ${place + 1}`;
            return (
              // They have no name of their own.
              // oxlint-disable-next-line react/no-array-index-key
              <li key={place} className={classes.hours}>
                <ClockField
                  aria-label={`${spoken}, from`}
                  value={hours.from}
                  onChange={(from) => change(place, { from })}
                />
                <ClockField
                  aria-label={`${spoken}, to`}
                  value={hours.to}
                  onChange={(to) => change(place, { to })}
                />
                {hours.why !== undefined && (
                  <TextInput
                    className={classes.why ?? ''}
                    size="md"
                    aria-label={`${spoken}, why`}
                    placeholder={example}
                    maxLength={WHY_MAX}
                    value={hours.why}
                    onChange={(event) => change(place, { why: event.currentTarget.value })}
                  />
                )}
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={44}
                  aria-label={`Remove ${label.toLowerCase()} ${place + 1}`}
                  onClick={() => onChange(value.filter((_hours, at) => at !== place))}
                >
                  <IconTrash size={20} stroke={1.7} aria-hidden="true" />
                </ActionIcon>
              </li>
            );
          })}
        </ul>
      )}
      {value.length < WINDOWS_MAX && (
        <Button
          variant="default"
          className={classes.add ?? ''}
          leftSection={<IconPlus size={18} aria-hidden="true" />}
          onClick={() => onChange([...value, empty])}
        >
          {add}
        </Button>
      )}
    </FieldGroup>
  );
}
