import { commandTypes } from '@headrace/device/commands';
import { conflict } from '../../http/errors.ts';
import type { ScheduleSet } from '../schedules/schedule-sets.ts';
import type { GoBackPlan } from '@headrace/contract/commands';
import type { ChangedUnit, LetWater } from './changed-by-send.ts';
import { groupBy } from '../../group-by.ts';
import type { NotDone } from './not-done.ts';
import type { CommandRow } from './read-commands.ts';
import { type IntendedCommand, isSilent } from './send-plan.ts';
import { withSchedule } from './targets.ts';
import type { TargetGateway, TargetUnit } from './targets.repo.ts';
import type { UnitFacts } from './unit-facts.ts';

interface OnFarm {
  readonly farmId: number;
  readonly inService: readonly TargetUnit[];
  readonly gateways: readonly TargetGateway[];
  readonly setOf: (uid: string) => ScheduleSet | undefined;
}

export const canGoBack = ({ type, counts }: Pick<CommandRow, 'type' | 'counts'>): boolean =>
  type === commandTypes.SendScheduleSet && Boolean(counts.cancelled);

/** Throws a 409 where nothing of it was taken back. */
export function checkGoBack(row: Pick<CommandRow, 'type' | 'counts'>): void {
  if (!canGoBack(row))
    throw conflict('Only a send of schedules that was cancelled half-way can be gone back on.');
}

/**
 * What each unit was to water by before a send, for those that it reached or may have; a command for each set of then, since a message
 * names one cycle. Who was never sent anything before is cleared.
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
  return parts.flatMap((part) => {
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
}

const NAMES_SHOWN = 10;
const named = (units: readonly { readonly name: string }[]) => ({
  count: units.length,
  names: units.slice(0, NAMES_SHOWN).map(({ name }) => name),
});

/** Whom it would send something; `facts` of those that have not answered. */
export function goBackPlan(
  changed: readonly ChangedUnit[],
  letWater: readonly LetWater[],
  facts: readonly UnitFacts[],
  now: Date,
): GoBackPlan {
  const silent = new Set(facts.filter((unit) => isSilent(unit, now)).map(({ deviceId }) => deviceId));
  const out = changed.filter(({ isAnswered }) => !isAnswered);
  return {
    answered: changed.length - out.length,
    out: named(out.filter(({ deviceId }) => !silent.has(deviceId))),
    outOfContact: named(out.filter(({ deviceId }) => silent.has(deviceId))),
    inhibited: named(letWater),
  };
}
