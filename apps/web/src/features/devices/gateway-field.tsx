import { SelectField } from '../../forms/fields.tsx';
import type { FieldProps } from '../../forms/use-record-form.ts';
import { useGatewayChoices } from '../../device-records/choices.queries.ts';

/** The gateway that speaks for a device. Nothing where there is none to choose from. */
export function GatewayField({ farmUID, ...field }: FieldProps<string> & { farmUID: string }) {
  const choices = useGatewayChoices(farmUID);
  if (choices.length === 0) return null;
  const options = choices.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <SelectField {...field} label="Gateway" options={[{ value: '', label: 'Any of the farm' }, ...options]} />
  );
}
