import type { GroupInfo, IpcStatus, SprinklerCounts } from '../groups.ts';
import { conditions } from './condition.ts';
import { isOk, needsAttention } from './sprinkler-filter.ts';
import { isStopAwaited } from './stop-wanted.ts';
import type { BeliefState } from './valve-belief.ts';

type Counted = Pick<
  IpcStatus,
  'condition' | 'isOutOfContact' | 'hasBatteryError' | 'hasClockError' | 'hasScheduleError'
>;

const isInService = ({ condition }: Counted) => condition !== conditions.outOfService;

type Status = Counted &
  Pick<IpcStatus, 'isInhibited' | 'stopWanted' | 'statustime' | 'belief' | 'activeAt' | 'schedname'>;

/**
 * Of the units in service, each once in ok, failed, attention or inhibited; active ones are among the ok.
 * `failed` are out of contact. Those that are taken to water are also counted by what that rests on.
 */
export function countSprinklers(units: readonly Status[]): Omit<SprinklerCounts, 'behind'> {
  const count = (is: (unit: (typeof units)[number]) => boolean) => units.filter(is).length;
  return {
    failed: count(({ condition }) => condition === conditions.outOfContact),
    neverContacted: count(
      ({ condition, statustime }) => condition === conditions.outOfContact && statustime === 0,
    ),
    ok: count(isOk),
    inhibited: count(({ condition }) => condition === conditions.inhibited),
    stopWanted: count(isStopAwaited),
    active: count(({ condition }) => condition === conditions.active),
    attention: count(needsAttention),
    total: count(isInService),
    watering: countWatering(units.filter(isInService)),
    next: nextWatering(units.filter(isInService)),
  };
}

function countWatering(inService: readonly Status[]): SprinklerCounts['watering'] {
  const count = (state: BeliefState) => inService.filter(({ belief }) => belief?.state === state).length;
  return { said: count('open'), planned: count('mayBeOpen'), overdue: count('openOverdue') };
}

/** The first start to come, and who begins then. An inhibited unit begins nothing. */
function nextWatering(inService: readonly Status[]): SprinklerCounts['next'] {
  const starts = inService
    .filter(({ condition }) => condition !== conditions.inhibited)
    .flatMap(({ activeAt, schedname }) => {
      const startAt = Math.min(...activeAt.filter(({ activeNow }) => !activeNow).map((run) => run.startAt));
      return Number.isFinite(startAt) ? [{ startAt, group: schedname || null }] : [];
    });
  if (starts.length === 0) return null;
  const startAt = starts.reduce((first, start) => Math.min(first, start.startAt), Number.POSITIVE_INFINITY);
  const first = starts.filter((start) => start.startAt === startAt);
  const group = first[0]?.group ?? null;
  const isOne = first.every((start) => start.group === group);
  return { startAt, units: first.length, group: isOne ? group : null };
}

type Summary = Pick<
  GroupInfo,
  'numberOfIpcs' | 'ipcsOOC' | 'ipcsActive' | 'ipcsClock' | 'ipcsCharge' | 'ipcsSched' | 'ipcsSpare'
>;

/** The summary of a map: units in service, those of them with each trouble while in contact, and all the others as spares. */
export function summariseSprinklers(units: readonly Counted[]): Summary {
  const inService = units.filter(isInService);
  const heard = inService.filter(({ isOutOfContact }) => !isOutOfContact);
  const count = (wanted: number) => inService.filter(({ condition }) => condition === wanted).length;
  return {
    numberOfIpcs: inService.length,
    ipcsOOC: count(conditions.outOfContact),
    ipcsActive: count(conditions.active),
    ipcsClock: heard.filter(({ hasClockError }) => hasClockError).length,
    ipcsCharge: heard.filter(({ hasBatteryError }) => hasBatteryError).length,
    ipcsSched: heard.filter(({ hasScheduleError }) => hasScheduleError).length,
    ipcsSpare: units.length - inService.length,
  };
}
