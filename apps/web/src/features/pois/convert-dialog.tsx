import { useState } from 'react';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Poi } from '@headrace/contract/pois';
import { validateDevice, SHORT_NAME_MAX } from '@headrace/contract/rules/device-form';
import { NEW_SENSOR_CHANNEL } from '@headrace/contract/rules/sensor-settings';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { SensorType } from '@headrace/contract/sensors';
import { ApiError, call } from '../../api/client.ts';
import { Dialog, Ways } from '../../forms/dialog.tsx';
import {
  type EnteredNumber,
  enteredNumber,
  NumberField,
  SelectField,
  TextField,
} from '../../forms/fields.tsx';
import { toast } from '../../ui/toasts.ts';
import { sensorTypeOptions } from '../../device-records/sensor-labels.ts';
import classes from '../../forms/dialog-content.module.css';
import { IdentityFields } from '../devices/identity-fields.tsx';

export type ConvertedPoi = Pick<Poi, '_id' | 'farmUID' | 'name'>;

export interface ConvertDialogProps {
  poi: ConvertedPoi;
  to: 'sprinkler' | 'sensor';
  onClose: () => void;
  /** The point is no longer there. */
  onDone: () => void;
}

interface Entered {
  name: string;
  serialNumber: string;
  macAddress: string;
  channel: EnteredNumber;
  type: string;
}

/** spec 1 §8 */
const texts = {
  sprinkler: {
    done: 'POI converted to sprinkler successfully!',
    failed: "Couldn't convert POI to sprinkler.",
  },
  sensor: { done: 'POI converted to sensor successfully!', failed: "Couldn't convert POI to sensor." },
} as const;

/** Makes a sprinkler or a sensor of a point of interest, in its place. */
export function ConvertDialog({ poi, to, onClose, onDone }: ConvertDialogProps) {
  const [values, setValues] = useState<Entered>(() => firstOf(poi, to));
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const convert = useMutation({
    mutationFn: () => send(poi, to, values),
    onSuccess: () => {
      toast.success(texts[to].done);
      onClose();
      onDone();
    },
    onError: () => toast.error(texts[to].failed),
  });
  const fieldErrors = validateDevice(to, { ...values, channel: channelOf(values) }, true);
  const refused = convert.error instanceof ApiError ? convert.error : null;
  const field = <K extends keyof Entered>(name: K) => ({
    name,
    value: values[name],
    error: (left.has(name) ? fieldErrors[name as keyof typeof fieldErrors] : undefined) ?? refusedAt(name),
    onChange: (value: Entered[K]) => {
      convert.reset();
      setValues((before) => ({ ...before, [name]: value }));
    },
    onBlur: () => setLeft(new Set([...left, name])),
  });
  const refusedAt = (name: string) => (refused?.field === name ? refused.message : undefined);
  const submit = () => {
    setLeft(new Set(Object.keys(values)));
    if (Object.keys(fieldErrors).length === 0 && !convert.isPending) convert.mutate();
  };
  return (
    <Dialog onClose={onClose} title={`Convert ${poi.name} to a ${to}`} size={520}>
      <form
        noValidate
        className={classes.fields}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <TextField
          {...field('name')}
          label="Name"
          required
          maxLength={SHORT_NAME_MAX}
          hint="Up to 5 characters."
        />
        {to === 'sensor' && <SelectField {...field('type')} label="Type" options={sensorTypeOptions} />}
        <IdentityFields
          kind={to}
          takes={to === 'sensor' ? undefined : 'spares'}
          farmUID={poi.farmUID}
          serial={field('serialNumber')}
          mac={field('macAddress')}
        />
        <NumberField
          {...field('channel')}
          label="Channel"
          isWhole
          hint="1 to 9 or 16 to 25; empty becomes 1"
        />
        {refused && refused.field === undefined && (
          <p className={classes.failed} role="alert">
            {refused.message}
          </p>
        )}
        <p className={classes.final}>The point of interest is removed. This action cannot be undone!</p>
        <Ways>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" aria-disabled={convert.isPending}>
            {convert.isPending ? 'Converting…' : `Convert to ${to}`}
          </Button>
        </Ways>
      </form>
    </Dialog>
  );
}

/** The point's name as far as it is short enough. */
const firstOf = (poi: ConvertedPoi, to: ConvertDialogProps['to']): Entered => ({
  name: poi.name.length <= SHORT_NAME_MAX ? poi.name : '',
  serialNumber: '',
  macAddress: '',
  channel: to === 'sensor' ? NEW_SENSOR_CHANNEL : 1,
  type: String(sensorTypes.TLM_V3),
});

const channelOf = ({ channel }: Entered) => enteredNumber(channel) ?? 1;

function send(poi: ConvertedPoi, to: ConvertDialogProps['to'], values: Entered): Promise<unknown> {
  const { name, serialNumber, macAddress } = values;
  const body = {
    poiUID: poi._id,
    name: name.trim(),
    serialNumber: serialNumber.trim(),
    macAddress: macAddress.trim(),
    channel: channelOf(values),
  };
  if (to === 'sprinkler') return call('POST /poi/convert', { body });
  return call('POST /poi/sensorconv', { body: { ...body, type: Number(values.type) as SensorType } });
}
