import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { needs } from '@headrace/contract/permissions';
import { validateDevice } from '@headrace/contract/rules/device-form';
import { mayOn, permissionsQuery } from '../../access/permissions.ts';
import { call } from '../../api/client.ts';
import { useCurrentFarm } from '../../farm/current-farm.ts';
import { farmsCardQuery } from '../../farm/farms.queries.ts';
import { SelectField, TextField } from '../../forms/fields.tsx';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { toast } from '../../ui/toasts.ts';
import classes from './registry.module.css';

/** For those who may add devices somewhere: the way to a device of theirs whose MAC another farm has entered. */
export function ContestMac() {
  const [isOpen, setOpen] = useState(false);
  const { data: farms } = useQuery(farmsCardQuery);
  const { data: permissions } = useQuery(permissionsQuery);
  const current = useCurrentFarm();
  const own = farms?.filter(({ _id }) => permissions && mayOn(permissions, _id, needs.createRadios)) ?? [];
  if (own.length === 0) return null;
  return (
    <section className={classes.contest} aria-labelledby="contest-title">
      <h2 id="contest-title">Your device is in use on another farm?</h2>
      <p className={classes.hint}>
        If another farm has entered the MAC address of your device and not heard it for seven days, yours gets
        it. If it hears the device too, what counts is the serial number that is registered for the address.
      </p>
      <button type="button" className={classes.way} onClick={() => setOpen(true)}>
        Contest a MAC address
      </button>
      {isOpen && (
        <ContestDialog
          farms={own.map(({ _id, name }) => ({ value: _id, label: name }))}
          first={(own.find(({ _id }) => _id === current?._id) ?? own[0])?._id ?? ''}
          onClose={() => setOpen(false)}
        />
      )}
    </section>
  );
}

interface DialogProps {
  farms: { value: string; label: string }[];
  first: string;
  onClose: () => void;
}

function ContestDialog({ farms, first, onClose }: DialogProps) {
  const form = useRecordForm({
    draftKey: null,
    initial: { farmUID: first, serialNumber: '', macAddress: '' },
    validate: ({ serialNumber, macAddress }) => {
      const { name: _, ...faults } = validateDevice('sensor', { name: 'any', serialNumber, macAddress });
      return faults;
    },
    save: ({ farmUID, serialNumber, macAddress }) =>
      call('POST /mac/contest', {
        body: { farmUID, serialNumber: serialNumber.trim(), macAddress: macAddress.trim() },
      }),
    onSaved: () => {
      toast.success('The MAC address is free. Now add the device on your farm.');
      onClose();
    },
  });
  return (
    <FormDialog form={form} title="Contest a MAC address" save="Contest" saving="Looking…" onClose={onClose}>
      <p className={classes.hint}>
        Switch the device on within reach of your gateway or network server first: it must have reported. A
        gateway needs the serial number that is registered for it. The other farm’s owner is told, and not who
        you are. If the other farm hears the device too, its owner has 14 days to answer.
      </p>
      <SelectField {...form.field('farmUID')} label="Your farm" required options={farms} />
      <TextField
        {...form.field('serialNumber')}
        label="Serial number"
        hint="As on the label."
        required
        maxLength={40}
      />
      <TextField {...form.field('macAddress')} label="MAC address" required maxLength={40} />
    </FormDialog>
  );
}
