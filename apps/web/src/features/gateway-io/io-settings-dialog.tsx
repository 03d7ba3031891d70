import { useRef, useState } from 'react';
import { Button } from '@mantine/core';
import type { GatewayMonitor } from '@headrace/contract/gateway-io';
import { IO_MAX_ON_MINUTES, IO_TITLE_MAX } from '@headrace/contract/limits';
import { type IoPort, ioPorts } from '@headrace/contract/rules/io-settings';
import { Dialog, Ways } from '../../forms/dialog.tsx';
import { NumberField, SelectField, SwitchField, TextField } from '../../forms/fields.tsx';
import { useLeaveGuard } from '../../forms/leave-guard.tsx';
import {
  Behind,
  Conflict,
  DraftOffer,
  faultsText,
  lostOf,
  useFocusOnFault,
} from '../../forms/record-form.tsx';
import { lastChange } from '../changes/last-change.ts';
import { type RecordForm, useRecordForm } from '../../forms/use-record-form.ts';
import { numberText } from '../../ui/format.ts';
import { toast } from '../../ui/toasts.ts';
import { useIsMobile } from '../../ui/use-is-mobile.ts';
import { useSaveIoSettings } from './gateway-io.queries.ts';
import { validateIo, type IoValues, readCurrent, settingsOf, valuesOf, fieldText } from './io-values.ts';
import { LeaveDialog } from '../../forms/lazy-dialogs.ts';
import classes from './gateway-io.module.css';

export interface IoSettingsDialogProps {
  monitor: GatewayMonitor;
  farmUID: string;
  onClose: () => void;
}

/** What inputs and relays are called, and which tank each relay fills. */
export default function IoSettingsDialog({ monitor, farmUID, onClose }: IoSettingsDialogProps) {
  const isMobile = useIsMobile();
  const element = useRef<HTMLFormElement>(null);
  const [isAsking, setIsAsking] = useState(false);
  const save = useSaveIoSettings(farmUID, monitor.mac);
  const form = useRecordForm({
    draftKey: `io.${monitor._id}`,
    initial: valuesOf(monitor.ioSettings),
    version: monitor.version,
    readCurrent,
    lastChange: () => lastChange(farmUID, monitor._id),
    validate: (values) => validateIo(values, monitor.tanks),
    save: (values, version) => save.mutateAsync({ ioSettings: settingsOf(values), version }),
    onSaved: ({ settingsTaken }) => {
      toast.success(settingsTaken ? 'Saved.' : 'Saved. The gateway is told as soon as it can be reached.');
      onClose();
    },
  });
  useFocusOnFault(element, form.attempts);
  const leaving = useLeaveGuard(form.isUnsaved);
  const close = () => (form.isUnsaved() ? setIsAsking(true) : onClose());
  const leave = () => {
    form.giveUp();
    onClose();
    leaving?.proceed();
  };
  const stay = () => {
    setIsAsking(false);
    leaving?.stay();
  };
  const labels = fieldText(monitor.tanks);
  const text = form.failure ?? (form.faults > 0 ? faultsText(form.faults) : null);
  return (
    <Dialog title={`Labels and links of ${monitor.name}`} onClose={close} size={760} isFullScreen={isMobile}>
      <form
        ref={element}
        noValidate
        aria-label="Inputs and relays"
        onSubmit={(event) => {
          event.preventDefault();
          form.submit();
        }}
      >
        <DraftOffer form={form} />
        <Behind form={form} />
        <fieldset className={classes.set}>
          <legend>Inputs</legend>
          <div className={classes.labels}>
            {ioPorts.map((port) => (
              <TextField
                key={port}
                {...form.field(`input${port}.title`)}
                label={`Input ${port}`}
                maxLength={IO_TITLE_MAX}
                required
              />
            ))}
          </div>
        </fieldset>
        <fieldset className={classes.set}>
          <legend>Relays</legend>
          <p className={classes.dim}>
            One that runs the sprinklers' pump goes off before all valves of the farm are closed.
          </p>
          {monitor.tanks.length === 0 && <p className={classes.dim}>No supported tanks</p>}
          <div className={classes.relays}>
            {ioPorts.map((port) => (
              <RelayFields key={port} port={port} form={form} tanks={monitor.tanks} />
            ))}
          </div>
        </fieldset>
        {text && (
          <p className={classes.refusal} role="alert">
            {text}
          </p>
        )}
        <Ways isLong>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" aria-disabled={form.isSaving}>
            {form.isSaving ? 'Saving…' : 'Save'}
          </Button>
        </Ways>
      </form>
      <Conflict form={form} labels={labels} />
      {(isAsking || leaving) && <LeaveDialog lost={lostOf(form, labels)} onStay={stay} onLeave={leave} />}
    </Dialog>
  );
}

function RelayFields(props: { port: IoPort; form: RecordForm<IoValues>; tanks: GatewayMonitor['tanks'] }) {
  const { port, form, tanks } = props;
  const isLinked = form.values[`relay${port}.isLinked`];
  const bound = form.values[`relay${port}.binding`];
  const isGone = bound !== '' && !tanks.some(({ _id }) => _id === bound);
  return (
    <div className={classes.relayFields}>
      <TextField
        {...form.field(`relay${port}.title`)}
        label={`Relay ${port}`}
        maxLength={IO_TITLE_MAX}
        required
      />
      <SwitchField {...form.field(`relay${port}.isPump`)} label="It runs the sprinklers' pump" />
      <SwitchField
        {...form.field(`relay${port}.isLinked`)}
        label="A tank's level switches it"
        disabled={tanks.length === 0 && !isLinked}
      />
      {isLinked && (
        <>
          <SelectField
            {...form.field(`relay${port}.binding`)}
            label={`Tank of relay ${port}`}
            required
            options={[
              { value: '', label: 'Choose a tank' },
              ...(isGone ? [{ value: bound, label: 'A tank that is gone' }] : []),
              ...tanks.map(({ _id, name, level }) => ({
                value: _id,
                label: level === null ? name : `${name}, ${numberText(level)} %`,
              })),
            ]}
          />
          <NumberField
            {...form.field(`relay${port}.maxOnTime`)}
            label={`Max on time of relay ${port}`}
            unit="min"
            hint={`0 to ${IO_MAX_ON_MINUTES}; 0 is no limit.`}
            isWhole
          />
        </>
      )}
    </div>
  );
}
