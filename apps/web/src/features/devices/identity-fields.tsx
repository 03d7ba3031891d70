import { SERIAL_NUMBER_MAX } from '@headrace/contract/rules/device-form';
import { TextField } from '../../forms/fields.tsx';
import type { FieldProps } from '../../forms/use-record-form.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { ScanButton } from '../registry/scan-button.tsx';
import {
  lookupFrom,
  lookupText,
  type SerialKind,
  type Takes,
  useFoundMac,
  useSerialLookup,
} from './serial-lookup.ts';
import classes from './device-form.module.css';

export interface IdentityFieldsProps {
  kind: SerialKind;
  farmUID: string;
  serial: FieldProps<string>;
  mac: FieldProps<string>;
  /** Of the device itself, when it has been saved before. */
  own?: { readonly serialNumber: string; readonly macAddress: string } | undefined;
  /** Narrows the search among gateways and sensors: their type's number. */
  type?: string | undefined;
  takes?: Takes | undefined;
  macLabel?: string | undefined;
  macHint?: string | undefined;
}

/** Serial number and MAC. The second is found by the first as it is typed, unless somebody entered another. */
export function IdentityFields(props: IdentityFieldsProps) {
  const { kind, farmUID, serial, mac, own, type, takes, macLabel = 'MAC address', macHint } = props;
  const { found, isLooking, isFailed } = useSerialLookup(kind, serial.value, own?.serialNumber ?? '', type);
  const isFilling = useFoundMac(found, mac, own?.macAddress);
  const lookup = found && lookupText(found, farmUID, takes);
  const told = lookup && (lookup.isWarning || !isFilling) ? lookup : null;
  return (
    <>
      <TextField
        {...serial}
        label="Serial number"
        required
        maxLength={SERIAL_NUMBER_MAX}
        hint={`Finds the MAC from ${lookupFrom(kind)} characters on.`}
        rightSection={<ScanButton onFound={serial.onChange} />}
        below={
          <div role="status" aria-live="polite">
            {isLooking && <p className={classes.hint}>Looking up the MAC…</p>}
            {!isLooking && isFailed && (
              <p className={classes.hint}>The MAC couldn't be looked up: enter it from the label.</p>
            )}
            {!isLooking && told && (
              <p className={classes.hint}>
                <ConditionDot condition={told.isWarning ? 'caution' : 'ok'} label={null} />
                {told.text}
              </p>
            )}
          </div>
        }
      />
      <TextField {...mac} label={macLabel} required maxLength={40} hint={macHint} />
    </>
  );
}
