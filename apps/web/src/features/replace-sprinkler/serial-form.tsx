import { useState } from 'react';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { validateDevice, type DeviceErrors } from '@headrace/contract/rules/device-form';
import type { FieldProps } from '../../forms/use-record-form.ts';
import { IdentityFields } from '../devices/identity-fields.tsx';
import { findMac, type SerialUse, useSerialLookup } from '../devices/serial-lookup.ts';
import type { NewUnit } from './use-replace.ts';
import classes from './replace.module.css';

interface SerialFormProps {
  farmUID: string;
  /** Of the unit that is there now. */
  own: string;
  /** Why nothing can be sent now; null: it can. */
  why: string | null;
  isBusy: boolean;
  onChoose: (unit: NewUnit, use: SerialUse | undefined) => void;
}

/** A unit by its serial number; the register knows the MAC of most. */
export function SerialForm({ farmUID, own, why, isBusy, onChoose }: SerialFormProps) {
  const queryClient = useQueryClient();
  const [serialNumber, setSerialNumber] = useState('');
  const [macAddress, setMacAddress] = useState('');
  const [fieldErrors, setErrors] = useState<DeviceErrors>({});
  const { found } = useSerialLookup('sprinkler', serialNumber, '');
  const replace = async () => {
    const entered = { serialNumber, macAddress };
    const looked = await findMac(queryClient, 'sprinkler', entered)?.catch(() => null);
    const values = { ...entered, ...looked };
    const faults = faultsOf(values, own);
    setErrors(faults);
    if (Object.keys(faults).length > 0) return;
    onChoose({ serialNumber: values.serialNumber.trim(), mac: values.macAddress.trim() }, found);
  };
  const field = (
    name: 'serialNumber' | 'macAddress',
    value: string,
    set: (value: string) => void,
  ): FieldProps<string> => ({
    name,
    value,
    error: fieldErrors[name],
    onChange: (text) => {
      set(text);
      setErrors((before) => without(before, name));
    },
    onBlur: () => undefined,
  });
  return (
    <form
      className={classes.form}
      noValidate
      aria-label="Another unit"
      onSubmit={(event) => {
        event.preventDefault();
        if (why === null && !isBusy) void replace();
      }}
    >
      <IdentityFields
        kind="sprinkler"
        farmUID={farmUID}
        takes="shelved"
        serial={field('serialNumber', serialNumber, setSerialNumber)}
        mac={field('macAddress', macAddress, setMacAddress)}
      />
      <Button type="submit" variant="default" mih={44} aria-disabled={why !== null || isBusy || undefined}>
        Replace with this unit
      </Button>
    </form>
  );
}

function faultsOf(values: { serialNumber: string; macAddress: string }, own: string): DeviceErrors {
  if (values.serialNumber.trim().toLowerCase() === own.toLowerCase())
    return { serialNumber: 'This is the unit that is there already.' };
  const { serialNumber, macAddress } = validateDevice('sprinkler', { name: 'S', ...values });
  return { ...(serialNumber && { serialNumber }), ...(macAddress && { macAddress }) };
}

function without(fieldErrors: DeviceErrors, name: keyof DeviceErrors): DeviceErrors {
  const { [name]: _fixed, ...others } = fieldErrors;
  return others;
}
