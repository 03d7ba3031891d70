import { useState } from 'react';
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Ipc } from '@headrace/contract/irrigation-devices';
import { can, flag } from '@headrace/contract/permissions';
import type { Act } from '@headrace/contract/undo';
import { call, errorText } from '../../api/client.ts';
import { toast } from '../../ui/toasts.ts';
import { useCan } from '../../access/permissions.ts';
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx';
import { deviceKinds, newPath } from '../../device-records/device-kinds.ts';
import { useSettings } from '../../preferences/settings.queries.ts';
import { BatteryButton } from '../devices/battery-button.tsx';
import { useLeaveForList } from '../devices/edit-page.tsx';
import { renewDevices } from '../changes/renew.ts';
import { offerUndo } from '../changes/undo.ts';
import { isAsked, SpareDialog } from './spare-dialogs.tsx';

/** What can be done with a sprinkler besides changing its fields. */
export function SprinklerActions({ unit }: { unit: Ipc }) {
  const mayConvert = useCan(
    { allOf: [flag('convertIrrigationDevices'), can('placeholders', 'Edit')] },
    unit.farmUID,
  );
  const deviceId = unit._id;
  const mayCreate = useCan({ anyOf: [can('irrigationDevices', 'Create')] }, unit.farmUID);
  return (
    <>
      {mayCreate && <Duplicate unit={unit} />}
      {unit.isSpareUnit ? <TakeIntoService unit={unit} /> : <MakeSpare unit={unit} />}
      <Reconfigure unit={unit} />
      {mayConvert && (unit.isPlaceholder ? <ReturnToService unit={unit} /> : <ToPlaceholder unit={unit} />)}
      {mayConvert && <ToPoi unit={unit} />}
      <BatteryButton
        name={unit.name}
        record={() => call('POST /ipc/replace-battery', { body: { ipcUID: deviceId } })}
      />
    </>
  );
}

/** A new one with what this one has but serial number and MAC. */
const Duplicate = ({ unit }: { unit: Ipc }) => (
  <Button
    variant="default"
    mih={44}
    renderRoot={(props) => (
      <Link {...props} to={newPath(deviceKinds.sprinkler, unit.farmUID)} search={{ copy: unit._id }} />
    )}
  >
    Duplicate
  </Button>
);

type Done = { success?: boolean; batchId?: string | null | undefined };
interface DoneToast {
  farmUID: string;
  text: string;
  /** Where it can be undone. */
  act?: Act;
}

/** Does it, says so and offers to undo it, and asks for everything anew. */
function useAct(run: () => Promise<Done>, { farmUID, text, act }: DoneToast) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: run,
    onSuccess: ({ batchId }) => {
      if (act) offerUndo(queryClient, text, { farmUID, batchId, act });
      else toast.success(text);
      void renewDevices(queryClient);
    },
    onError: (error) => toast.error(errorText(error)),
  });
}

function TakeIntoService({ unit }: { unit: Ipc }) {
  const { showSpareReadyDialog } = useSettings();
  const [isAsking, setIsAsking] = useState(false);
  const act = useAct(() => call('PUT /ipc/flag-as-spare', { body: { deviceId: unit._id, status: false } }), {
    farmUID: unit.farmUID,
    text: `${unit.name} is in service.`,
    act: 'flag sprinkler',
  });
  const start = () => (isAsked(unit, showSpareReadyDialog) ? setIsAsking(true) : act.mutate());
  const go = () => {
    setIsAsking(false);
    act.mutate();
  };
  return (
    <>
      <Button variant="default" mih={44} loading={act.isPending} onClick={start}>
        Take into service
      </Button>
      {isAsking && <SpareDialog spare={unit} onYes={go} onNo={() => setIsAsking(false)} />}
    </>
  );
}

function MakeSpare({ unit }: { unit: Ipc }) {
  const act = useAct(() => call('PUT /ipc/flag-as-spare', { body: { deviceId: unit._id, status: true } }), {
    farmUID: unit.farmUID,
    text: `${unit.name} is a spare.`,
    act: 'flag sprinkler',
  });
  return (
    <Button variant="default" mih={44} loading={act.isPending} onClick={() => act.mutate()}>
      Make it a spare
    </Button>
  );
}

function Reconfigure({ unit }: { unit: Ipc }) {
  const status = !unit.reconfigure;
  const act = useAct(() => call('PUT /ipc/flag-reconfigure', { body: { deviceId: unit._id, status } }), {
    farmUID: unit.farmUID,
    text: status ? `${unit.name} is set up anew at its next contact.` : `${unit.name} stays as it is set up.`,
  });
  return (
    <Button variant="default" mih={44} loading={act.isPending} onClick={() => act.mutate()}>
      {status ? 'Reconfigure at next contact' : 'Cancel reconfiguring'}
    </Button>
  );
}

function ReturnToService({ unit }: { unit: Ipc }) {
  const act = useAct(() => call('PUT /placeholder/return-to-service', { body: { deviceId: unit._id } }), {
    farmUID: unit.farmUID,
    text: `${unit.name} is in service again.`,
    act: 'convert sprinkler',
  });
  return (
    <Button variant="default" mih={44} loading={act.isPending} onClick={() => act.mutate()}>
      Return to service
    </Button>
  );
}

function ToPlaceholder({ unit }: { unit: Ipc }) {
  const queryClient = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="default" mih={44} onClick={() => setIsOpen(true)}>
        Convert to placeholder
      </Button>
      {isOpen && (
        <ConfirmDialog
          title={`Make ${unit.name} a placeholder?`}
          confirm="Convert to placeholder"
          doing="Converting…"
          run={() => call('PUT /placeholder/convert-to-placeholder', { body: { deviceId: unit._id } })}
          isUndoable
          onDone={({ batchId }) => {
            const { farmUID, name } = unit;
            offerUndo(queryClient, `${name} is a placeholder.`, {
              farmUID,
              batchId,
              act: 'convert sprinkler',
            });
            void renewDevices(queryClient);
          }}
          onClose={() => setIsOpen(false)}
        >
          It is taken out of service. Its name, place, serial number and MAC stay. Another unit may have the
          serial number then, but not the MAC. It can be returned to service.
        </ConfirmDialog>
      )}
    </>
  );
}

function ToPoi({ unit }: { unit: Ipc }) {
  const leave = useLeaveForList(deviceKinds.sprinkler, unit.farmUID);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="default" mih={44} onClick={() => setIsOpen(true)}>
        Convert to point of interest
      </Button>
      {isOpen && (
        <ConfirmDialog
          title={`Make ${unit.name} a point of interest?`}
          confirm="Convert"
          doing="Converting…"
          isFinal
          run={() => call('PUT /placeholder/convert-to-poi', { body: { deviceId: unit._id } })}
          onDone={({ name }) => {
            toast.success(`${name} is a point of interest.`);
            leave();
          }}
          onClose={() => setIsOpen(false)}
        >
          The sprinkler leaves the farm, its groups and its schedules. A point of interest with its name stays
          in its place; the readings it has sent are kept.
        </ConfirmDialog>
      )}
    </>
  );
}
