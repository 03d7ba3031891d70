import { SelectField } from '../../forms/fields.tsx';
import type { FieldProps } from '../../forms/use-record-form.ts';
import { commsModeOptions } from '../../device-records/comms-modes.ts';

export interface CommsModeFieldProps extends FieldProps<string> {
  label?: string | undefined;
  /** Of a sensor, which may be reached over LoRaWAN too. */
  hasLora?: boolean | undefined;
}

/** How a device is reached: Mesh, Local or Hybrid; a sensor by LoRa, too. */
export function CommsModeField({ label = 'Comms mode', hasLora = false, ...field }: CommsModeFieldProps) {
  return <SelectField {...field} label={label} options={commsModeOptions(hasLora)} />;
}
