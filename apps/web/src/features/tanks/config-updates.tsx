import { Button } from '@mantine/core';
import { needs } from '@headrace/contract/permissions';
import { sensorConfigTypes } from '@headrace/contract/sensor-types';
import type { TankInfo } from '@headrace/contract/tanks';
import { Age } from '../../ui/age.tsx';
import { numberText } from '../../ui/format.ts';
import { toast } from '../../ui/toasts.ts';
import { useCan } from '../../access/permissions.ts';
import { useChartZone } from '../../time-range/farm-zone.ts';
import { configFailureText, useWithdraw } from './config-update.queries.ts';
import { Notice } from './notice.tsx';
import classes from './tank-dialog.module.css';

type Update = TankInfo['configUpdate'][number];

/** What is on its way to the unit, with the way to take it back, and what the unit refused. */
export function ConfigUpdates({ info }: { info: TankInfo }) {
  const canEdit = useCan(needs.editSensors, info.farmUID);
  const zone = useChartZone(info.farmUID);
  const withdraw = useWithdraw(info);
  const takeBack = (update: Update) =>
    withdraw.mutate(update._id, {
      onError: (error) => toast.error(configFailureText(error, 'delete')),
    });
  return info.configUpdate
    .filter(({ processedAt, error }) => processedAt === null || error)
    .map((update) => (
      <Notice key={update._id} condition={update.error ? 'issue' : 'sensor'}>
        {update.error ? `Configuration update failed: ${update.error}` : 'Pending Configuration Update'}
        <span className={classes.noticeDetail}>
          {updateLabel(update)},{' '}
          <Age at={update.createdAt} zone={zone}>
            asked
          </Age>
        </span>
        {canEdit && !update.error && (
          <Button
            variant="default"
            size="compact-md"
            className={classes.noticeWay}
            aria-disabled={withdraw.isPending}
            onClick={() => !withdraw.isPending && takeBack(update)}
          >
            Withdraw
          </Button>
        )}
      </Notice>
    ));
}

const configLabels: Record<string, string> = {
  lowSetpoint: 'on at',
  highSetpoint: 'off at',
  maxRunTime: 'longest run',
  relayControl: 'automatic',
};

/** What is set, in the words of the fields. */
function updateLabel({ type, config }: Update): string {
  if (type === sensorConfigTypes.D100_FlowReset) return 'accumulated flow to zero';
  const parts = Object.entries(config).flatMap(([name, value]) => {
    const label = configLabels[name];
    if (!label || (typeof value !== 'number' && typeof value !== 'boolean')) return [];
    const unit = name === 'maxRunTime' ? ' min' : ' %';
    return [`${label} ${typeof value === 'boolean' ? (value ? 'yes' : 'no') : numberText(value) + unit}`];
  });
  return parts.join(', ') || 'settings';
}
