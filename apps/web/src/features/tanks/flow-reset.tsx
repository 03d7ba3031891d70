import { useState } from 'react';
import { Button } from '@mantine/core';
import { needs } from '@headrace/contract/permissions';
import { sensorConfigTypes } from '@headrace/contract/sensor-types';
import type { TankInfo } from '@headrace/contract/tanks';
import { toast } from '../../ui/toasts.ts';
import { useCan } from '../../access/permissions.ts';
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx';
import { useConfigUpdate } from './config-update.queries.ts';
import classes from './tank-dialog.module.css';

const { D100_FlowReset } = sensorConfigTypes;

/** Has the unit's accumulated flow count from zero. */
export function FlowReset({ info }: { info: TankInfo }) {
  const [isAsking, setIsAsking] = useState(false);
  const canEdit = useCan(needs.editSensors, info.farmUID);
  const update = useConfigUpdate();
  const isWaiting = info.configUpdate.some(
    ({ type, processedAt, error }) => type === D100_FlowReset && processedAt === null && !error,
  );
  if (!canEdit || info.flow === null) return null;
  return (
    <div className={classes.reset}>
      <Button variant="default" disabled={isWaiting} onClick={() => setIsAsking(true)}>
        Reset accumulated flow
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={`Reset the accumulated flow of ${info.name}?`}
          confirm="Reset"
          doing="Sending…"
          run={() => update.mutateAsync({ tank: info, configType: D100_FlowReset, config: {} })}
          onDone={() => toast.success('Sent. The flow counts from zero once the unit has taken it.')}
          onClose={() => setIsAsking(false)}
        >
          Once the unit has taken it, its accumulated flow counts from zero. What it measured before stays in
          its history.
        </ConfirmDialog>
      )}
    </div>
  );
}
