import type { GroupInfo, IpcStatus, SprinklerCounts } from '../groups.ts';
import { conditions } from './condition.ts';
import { isHeardInService, isInService, isOk, needsAttention } from './sprinkler-filter.ts';
import { isStopAwaited } from './stop-wanted.ts';
import { type BeliefState, graceMs } from './valve-belief.ts';

type Counted = Pick<
  IpcStatus,
  'condition' | 'isOutOfContact' | 'hasBatteryError' | 'hasClockError' | 'hasScheduleError'
>;

type Status = Counted &
  Pick<
    IpcStatus,
    'id' | 'isInhibited' | 'stopWanted' | 'statustime' | 'belief' | 'clock' | 'activeAt' | 'schedname'
  >;

/**
 * Of the units in service, each once in ok, failed, attention or inhibited; active ones are among the ok.
 * `failed` are out of contact. Those that are taken to water are also counted by what that rests on. `now` in epoch ms.
 */
export function countSprinklers(units: readonly Status[], now: number): Omit<SprinklerCounts, 'behind'> {
  const counts = {
    failed: 0,
    neverContacted: 0,
    ok: 0,
    inhibited: 0,
    stopWanted: 0,
    active: 0,
    attention: 0,
    total: 0,
    watering: { said: 0, planned: 0, overdue: 0, unplanned: 0 },
  };
  const stuck: Stuck = { overdue: [], unplanned: [] };
  const troubled: Troubled = { silent: [], oneError: [] };
  // One pass: of thousands of units each further one is felt.
  for (const unit of units) {
    const { condition } = unit;
    if (isOk(unit)) counts.ok += 1;
    if (needsAttention(unit)) counts.attention += 1;
    if (condition === conditions.error && errorsOf(unit) === 1) troubled.oneError.push(unit.id);
    if (condition === conditions.outOfContact) {
      counts.failed += 1;
      if (unit.statustime === 0) counts.neverContacted += 1;
      else troubled.silent.push(unit.id);
    } else if (condition === conditions.inhibited) counts.inhibited += 1;
    else if (condition === conditions.active) counts.active += 1;
    if (isStopAwaited(unit)) counts.stopWanted += 1;
    if (!isInService(unit)) continue;
    counts.total += 1;
    const watering = unit.belief && wateringBy[unit.belief.state];
    if (watering) counts.watering[watering] += 1;
    if (watering === 'overdue') stuck.overdue.push(unit.id);
    if (!isUnplanned(unit, now)) continue;
    counts.watering.unplanned += 1;
    stuck.unplanned.push(unit.id);
  }
  const watering = { ...counts.watering, ...namedOf(stuck) };
  return { ...counts, watering, next: nextWatering(units), ...fewOf(troubled, counts) };
}

type Stuck = NonNullable<SprinklerCounts['watering']['stuck']>;
/** More are counted alone: an alert that tells of them names no more either. */
const NAMED = 20;

function namedOf(stuck: Stuck): { stuck?: Stuck } {
  const count = stuck.overdue.length + stuck.unplanned.length;
  return count > 0 && count <= NAMED ? { stuck } : {};
}

type Troubled = NonNullable<SprinklerCounts['troubled']>;

/** Each kind by itself: many of one are no reason not to name the few of the other. */
function fewOf(
  { silent, oneError }: Troubled,
  { attention }: { attention: number },
): { troubled?: Troubled } {
  const few = { silent: silent.length > NAMED ? [] : silent, oneError: attention > NAMED ? [] : oneError };
  return few.silent.length + few.oneError.length > 0 ? { troubled: few } : {};
}

const errorsOf = ({ hasBatteryError, hasClockError, hasScheduleError }: Counted) =>
  [hasBatteryError, hasClockError, hasScheduleError].filter(Boolean).length;

/** Open by its own word though nothing is known that asks for it; a run that its clock begins early is no such thing. */
function isUnplanned({ belief, clock }: Status, now: number): boolean {
  if (belief?.state !== 'open' || belief.cause !== 'none' || belief.since === null) return false;
  return now - belief.since > graceMs(clock);
}

const wateringBy: Partial<Record<BeliefState, 'said' | 'planned' | 'overdue'>> = {
  open: 'said',
  mayBeOpen: 'planned',
  openOverdue: 'overdue',
};

/** The first start to come of units in service, and who begins then. An inhibited unit begins nothing. */
function nextWatering(units: readonly Status[]): Next {
  let next: Next = null;
  for (const unit of units) {
    if (!isInService(unit) || unit.condition === conditions.inhibited) continue;
    next = sooner(next, firstStart(unit), unit.schedname || null);
  }
  return next;
}

type Next = SprinklerCounts['next'];

/** The next watering once a unit of this group begins at `startAt`; a start of several groups has the name of none. */
function sooner(next: Next, startAt: number | null, group: string | null): Next {
  if (startAt === null || (next && startAt > next.startAt)) return next;
  if (next?.startAt !== startAt) return { startAt, units: 1, group };
  return { startAt, units: next.units + 1, group: next.group === group ? group : null };
}

/** Epoch ms; null: nothing of it begins any more. */
function firstStart({ activeAt }: Status): number | null {
  let first: number | null = null;
  for (const { startAt, activeNow } of activeAt)
    if (!activeNow && (first === null || startAt < first)) first = startAt;
  return first;
}

type Summary = Pick<
  GroupInfo,
  'numberOfIpcs' | 'ipcsOOC' | 'ipcsActive' | 'ipcsClock' | 'ipcsCharge' | 'ipcsSched' | 'ipcsSpare'
>;

/** The summary of a map: units in service, those of them with each trouble while in contact, and all the others as spares. */
export function summariseSprinklers(units: readonly Counted[]): Summary {
  const inService = units.filter(isInService);
  const heard = units.filter(isHeardInService);
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
