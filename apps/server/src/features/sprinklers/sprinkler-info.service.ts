import { farmCalendar } from '@headrace/contract/rules/active-now';
import { batteryForecast, type DayCharge } from '@headrace/contract/rules/battery-forecast';
import { conditionName, silentFrom } from '@headrace/contract/rules/condition';
import type { Timezone } from '@headrace/contract/farms';
import { hasNoSchedule } from '@headrace/contract/rules/no-schedule';
import { isDayOut } from '@headrace/contract/rules/schedule/cycle-day';
import { doubtsOf, fateOf, type UnitFacts } from '@headrace/contract/rules/schedule/fate';
import { nextOccurrences } from '@headrace/contract/rules/schedule/occurrences';
import { sprinklerAlerts } from '@headrace/contract/rules/sprinkler-alerts';
import { type SprinklerInfo, SPRINKLER_TURNS } from '@headrace/contract/sprinkler-info';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { notFound } from '../../http/errors.ts';
import type { BatteryLifeService } from '../battery-life/battery-life.service.ts';
import type { CommandsService } from '../commands/commands.service.ts';
import { chargeSince, replacedAt } from '../devices/battery.ts';
import { requireKind } from '../devices/device-entries.ts';
import { wateringClock } from '../farm-clock/farm-zone.ts';
import { unitLimits } from '../gateways/unit-limits.ts';
import type { ProgrammesNow } from '../programmes/programmes-now.ts';
import type { WateringsService } from '../waterings/waterings.service.ts';
import { farmContext, type FarmContext, type WholeStatus, wholeStatus } from './present-status.ts';
import type { SprinklerRow, SprinklerStatusRepo } from './sprinkler-status.repo.ts';

/** A gateway's clock may be ahead of ours. */
const DAY_MS = 86_400_000;

export interface SprinklerInfoParts {
  readonly programmes: { now(farmId: number, deviceId: number): Promise<ProgrammesNow> };
  readonly waterings: Pick<WateringsService, 'newest' | 'ratesOf'>;
  readonly commands: Pick<CommandsService, 'liveOf' | 'swapsOf'>;
  readonly batteries: Pick<BatteryLifeService, 'lately'>;
}

/** All that is known of one sprinkler. */
export function createSprinklerInfoService(sprinklers: SprinklerStatusRepo, parts: SprinklerInfoParts) {
  return {
    async whole(farm: FarmRow, device: DeviceRow, now: Date): Promise<SprinklerInfo> {
      requireKind(device, 'sprinkler');
      const everSince = { from: 0, to: now.getTime() + DAY_MS, count: 1 };
      const [one, gateways, programmes, rates, runs, commands, charges, path, swaps] = await Promise.all([
        sprinklers.one(farm.id, device.id),
        sprinklers.gateways(farm.id),
        parts.programmes.now(farm.id, device.id),
        parts.waterings.ratesOf(farm, device.id),
        parts.waterings.newest(farm, device.id, { count: SPRINKLER_TURNS, now: now.getTime() }),
        parts.commands.liveOf(farm.id, device.id, now),
        parts.batteries.lately(farm, device, now),
        sprinklers.path(farm.id, device.id),
        parts.commands.swapsOf(farm.id, device.id, everSince),
      ]);
      if (!one) throw notFound();
      const { row, reportedAt, ...facts } = one;
      const context = farmContext(
        facts,
        farmCalendar(wateringClock(farm), now.getTime()),
        unitLimits(gateways),
      );
      const whole = wholeStatus(row, context);
      const unit = unitFacts(row, whole, programmes, isOnItsWay(programmes, commands), wateringClock(farm));
      const { lat, lng, mac } = whole.status;
      return {
        ...whole.status,
        macAddress: mac,
        location: lat === null || lng === null ? null : { lat, lng },
        state: conditionName(whole.status.condition),
        farmUID: farm.uid,
        belief: beliefOf(whole, programmes, unit, context),
        wanted: programmes.wanted && { ...programmes.wanted, entries: [...programmes.wanted.entries] },
        held: heldOf(whole, programmes),
        stopWanted: programmes.stopWanted,
        holdUntil: programmes.holdUntil,
        next: nextOf(whole, programmes, unit, context),
        ...rates,
        runs,
        alerts: alertsOf(row, whole, programmes),
        battery: batteryOf(row, whole, charges),
        reportedAt: { ...reportedAt, charge: chargeSince(row) === null ? null : reportedAt.charge },
        ...path,
        lastSwap: lastOf(swaps),
        commands,
      };
    },
  };
}
export type SprinklerInfoService = ReturnType<typeof createSprinklerInfoService>;

function lastOf([swap]: Awaited<ReturnType<CommandsService['swapsOf']>>): SprinklerInfo['lastSwap'] {
  return swap ? { at: swap.at.getTime(), from: swap.from, to: swap.to } : null;
}

/** The send that asked for what it is to water by has no end for it yet. */
const isOnItsWay = ({ wanted }: ProgrammesNow, commands: SprinklerInfo['commands']): boolean =>
  wanted !== null && commands.some(({ command }) => command._id === wanted.commandId);

function unitFacts(
  row: SprinklerRow,
  { status, schedule: { programme } }: WholeStatus,
  { held, holdUntil }: ProgrammesNow,
  isUnderWay: boolean,
  zone: Timezone,
): UnitFacts {
  return {
    held:
      programme.held === 'wanted' || programme.held === 'older'
        ? { entries: held?.entries ?? [] }
        : programme.held,
    isOnItsWay: isUnderWay && programme.held !== 'wanted',
    isInService: !status.outOfService && !status.isSpareUnit,
    isDayOut: isDayOut(zone, programme.reportedDay, programme.cycleDays),
    isInhibited: status.isInhibited,
    isStopWanted: status.stopWanted !== undefined && !status.isInhibited,
    holdUntil,
    heardAt: row.status_at,
    clockS: row.clock,
  };
}

function beliefOf(
  { belief, valve, schedule }: WholeStatus,
  { held }: ProgrammesNow,
  unit: UnitFacts,
  { calendar }: FarmContext,
): SprinklerInfo['belief'] {
  const { held: _held, isInhibited: _isInhibited, ...facts } = valve;
  const olderSince = schedule.programme.held === 'older' ? (held?.since ?? null) : null;
  return {
    ...belief,
    reasons: doubtsOf(unit, olderSince, calendar.now),
    facts,
  };
}

function heldOf({ schedule }: WholeStatus, { held }: ProgrammesNow): SprinklerInfo['held'] {
  const { held: state } = schedule.programme;
  return {
    state,
    setId: held?.setId ?? null,
    setName: held?.setName ?? null,
    crc: held?.crc ?? null,
    entries: held?.entries ? [...held.entries] : null,
    cycleDays: held?.cycleDays ?? null,
    since: held?.since ?? null,
    how: held?.how ?? null,
    stoppedAt: held?.stoppedAt ?? null,
  };
}

function nextOf(
  { schedule: { programme } }: WholeStatus,
  { held }: ProgrammesNow,
  unit: UnitFacts,
  { calendar: { zone, now } }: FarmContext,
): SprinklerInfo['next'] {
  const entries = held?.entries ?? [];
  return nextOccurrences({ entries, cycleDays: programme.cycleDays }, zone, now, SPRINKLER_TURNS).map(
    (occurrence) => {
      const { startAt, endAt, clock, entry } = occurrence;
      const { cycle, duration } = entry;
      const { kind, reasons, shiftS } = fateOf(occurrence, unit, now);
      return { startAt, endAt, cycle, duration, clock, fate: { kind, reasons: [...reasons], shiftS } };
    },
  );
}

function alertsOf(
  row: SprinklerRow,
  { status, belief }: WholeStatus,
  { wanted, held }: ProgrammesNow,
): SprinklerInfo['alerts'] {
  return sprinklerAlerts({
    ...status,
    hasNoSchedule: hasNoSchedule(status),
    belief,
    silentSince: row.status_at === null ? null : silentFrom(row.status_at),
    heldSince: held?.since ?? null,
    wantedSince: wanted?.since ?? null,
    inhibitedSince: held?.stoppedAt ?? (held?.crc === status.ipc_crc ? (held?.since ?? null) : null),
  });
}

function batteryOf(
  row: SprinklerRow,
  { thresholds: { charge } }: WholeStatus,
  charges: readonly DayCharge[],
): SprinklerInfo['battery'] {
  const replaced = replacedAt(row);
  const said = chargeSince(row);
  return {
    charge: said,
    at: said === null ? null : row.charge_at,
    replacedAt: replaced === null ? null : Date.parse(replaced),
    threshold: charge,
    forecast: batteryForecast(charges, charge, 0),
  };
}
