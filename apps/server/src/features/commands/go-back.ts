import { commandTypes } from '@headrace/device/commands';
import { conflict } from '../../http/errors.ts';
import type { ScheduleSet } from '../schedules/schedule-sets.ts';
import type { ChangedUnit } from './changed-by-send.ts';
import { groupBy } from './group-by.ts';
import type { NotDone } from './not-done.ts';
import type { CommandRow } from './read-commands.ts';
import type { IntendedCommand } from './send-plan.ts';
import { withSchedule } from './targets.ts';
import type { TargetGateway, TargetUnit } from './targets.repo.ts';

interface OnFarm {
  readonly farmId: number;
  readonly inService: readonly TargetUnit[];
  readonly gateways: readonly TargetGateway[];
  readonly setOf: (uid: string) => ScheduleSet | undefined;
}

/** Throws a 409 where nothing of it was taken back. */
export function checkGoBack({ type, counts }: Pick<CommandRow, 'type' | 'counts'>): void {
  if (type !== commandTypes.SendScheduleSet || !counts.cancelled)
    throw conflict('Only a send of schedules that was cancelled half-way can be gone back on.');
}

/**
 * What each unit was to water by before a send, for those that it reached or may have; a command for each set of then, since a message
 * names one cycle. Who was never sent anything before is cleared. Throws a 409 where nobody is left.
 */
export function goingBack(
  { payload }: Pick<NotDone, 'payload'>,
  changed: readonly ChangedUnit[],
  { farmId, inService, gateways, setOf }: OnFarm,
): Omit<IntendedCommand, 'lifeMs'>[] {
  const unitOf = new Map(inService.map((unit) => [unit.deviceId, unit]));
  const { setUID } = payload;
  const sentUid = typeof setUID === 'string' ? setUID.toLowerCase() : '';
  const parts = groupBy(changed, ({ before }) => `${before?.setUid ?? sentUid}/${before?.cycleDays ?? 1}`);
  const all = parts.flatMap((part) => {
    const set = setOf(part[0]?.before?.setUid ?? sentUid);
    const units = part.flatMap(({ deviceId, before }) => {
      const unit = unitOf.get(deviceId);
      if (!unit || unit.gatewayId === null) return [];
      return [withSchedule({ deviceId, gatewayId: unit.gatewayId }, before ?? undefined)];
    });
    if (!set || units.length === 0) return [];
    const ids = new Set(units.map(({ gatewayId }) => gatewayId));
    const uids = units.flatMap(({ deviceId }) => unitOf.get(deviceId)?.uid ?? []);
    return [
      {
        farmId,
        name: 'SendScheduleSet' as const,
        payload: { groupUID: 'FARM', uids, setUID: set.uid },
        note: 'Back to what these sprinklers were to water by before a send that was cancelled.',
        found: {
          name: `${units.length} ${units.length === 1 ? 'sprinkler' : 'sprinklers'}`,
          serialNumber: '-',
          units,
          gateways: gateways.filter(({ deviceId }) => ids.has(deviceId)),
          schedules: { setId: set.id, cycleDays: part[0]?.before?.cycleDays ?? 1, isWholeFarm: false },
        },
      },
    ];
  });
  if (all.length === 0)
    throw conflict('No sprinkler is left that has something else from this send than it had before.');
  return all;
}
