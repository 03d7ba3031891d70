import { Checkbox } from '@mantine/core';
import { FieldGroup } from '../../forms/fields.tsx';
import type { FieldProps } from '../../forms/use-record-form.ts';
import { useGroupChoices } from '../../device-records/choices.queries.ts';
import classes from './device-form.module.css';

export type GroupFieldProps = FieldProps<readonly string[]> & {
  farmUID: string;
  label?: string;
  hint?: string | undefined;
};

/** The groups that a device is in. Nothing where the farm has none, or one may not read them. */
export function GroupField({
  farmUID,
  name,
  label = 'Groups',
  hint,
  value,
  error,
  ...rest
}: GroupFieldProps) {
  const choices = useGroupChoices(farmUID);
  if (choices.length === 0) return null;
  const toggle = (id: string, isIn: boolean) =>
    rest.onChange(isIn ? [...value, id] : value.filter((other) => other !== id));
  return (
    <FieldGroup name={name} label={label} hint={hint} error={error}>
      <div className={classes.groups}>
        {choices.map(({ id, name: group }) => (
          <Checkbox
            key={id}
            size="md"
            label={group}
            checked={value.includes(id)}
            onBlur={rest.onBlur}
            onChange={(event) => toggle(id, event.currentTarget.checked)}
          />
        ))}
      </div>
    </FieldGroup>
  );
}
