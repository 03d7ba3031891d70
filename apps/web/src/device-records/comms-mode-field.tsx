import { SelectField } from '../forms/fields.tsx';
import type { FieldProps } from '../forms/use-record-form.ts';
import { commsModeOptions } from './comms-modes.ts';

export interface CommsModeFieldProps extends FieldProps<string> {
  label?: string | undefined;
  /** Of a sensor, which may be reached over LoRaWAN too. */
  hasLora?: boolean | undefined;
  /** What stands there until one is chosen; absent: one always is. */
  unchosen?: string | undefined;
}

/** How a device is reached: Mesh, Local or Hybrid; a sensor by LoRa, too. */
export function CommsModeField(props: CommsModeFieldProps) {
  const { label = 'Comms mode', hasLora = false, unchosen, ...field } = props;
  const first = unchosen === undefined ? [] : [{ value: '', label: unchosen }];
  return <SelectField {...field} label={label} options={[...first, ...commsModeOptions(hasLora)]} />;
}
