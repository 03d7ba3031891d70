import {
  type CommsUnit,
  HEALTH_DAYS,
  type HealthHistory,
  HISTORY_DAYS,
  type SprinklerComms,
  type SprinklerHealth,
} from '@headrace/contract/health';
import type { IpcStatus } from '@headrace/contract/groups';
import {
  commsOf,
  type HealthCounts,
  healthOf,
  historyTypes,
  percentOf,
} from '@headrace/contract/rules/health-figures';
import { healthTrend, type TrendWeek, trendDays } from '@headrace/contract/rules/health-trend';
import { conditions } from '@headrace/contract/rules/condition';
import { silenceOf } from '@headrace/contract/rules/silence-cause';
import type { FarmRow } from '../../db/schema.ts';
import { invalid } from '../../http/errors.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import type { UnitsWithPassers } from '../sprinklers/sprinkler-status.service.ts';
import { dayBefore } from './farm-days.ts';
import type { HealthDayRow, HealthRepo } from './health.repo.ts';

const DAY_MS = 86_400_000;

export interface UnitSource {
  /** All sprinklers of a farm as they are. */
  units(farm: FarmRow, now: Date): Promise<readonly IpcStatus[]>;
  unitsWithPassers(farm: FarmRow, now: Date): Promise<UnitsWithPassers>;
}

export function createHealthService(health: HealthRepo, sprinklers: UnitSource) {
  return {
    async health(farm: FarmRow, now: Date): Promise<SprinklerHealth> {
      const since = dayBefore(toZone(farm), now.getTime(), HEALTH_DAYS);
      const [units, days] = await Promise.all([sprinklers.units(farm, now), health.days(farm.id, since)]);
      const present = healthOf(units);
      const { total } = countsOf(units, now);
      return {
        ...figures('Clock', 'clockOk', present, days),
        ...figures('Battery', 'batteryOk', present, days),
        ...figures('Schedule', 'scheduleOk', present, days),
        inContact: present.inContact,
        total,
        days: days.length,
        since: days[0]?.day ?? null,
      };
    },

    async comms(farm: FarmRow, now: Date): Promise<SprinklerComms> {
      const passed = await sprinklers.unitsWithPassers(farm, now);
      const units = passed.units.map(({ unit }) => unit);
      const { outOfContact, occasional, outOfService } = commsOf(units, now.getTime());
      return {
        ...countsOf(units, now),
        ...silence(passed, now),
        units: {
          outOfContact: silentFirst(outOfContact),
          occasional: silentFirst(occasional),
          outOfService: silentFirst(outOfService),
        },
      };
    },

    /** The last 12 months by week. */
    async trend(farm: FarmRow, now: Date): Promise<TrendWeek[]> {
      const yesterday = dayBefore(toZone(farm), now.getTime(), 1);
      const histories: Pick<HealthHistory, 'data'>[] = [];
      // One after the other: nobody else's call waits for nine at once.
      for (const kind of historyTypes.keys())
        histories.push({
          data: await health.history({ farmId: farm.id, kind, isNamed: false, ...trendDays(yesterday) }),
        });
      return healthTrend(histories, yesterday);
    },

    /** Throws invalid for a range that ends before it begins, is too long, or names a day that there isn't. */
    async history(
      farm: FarmRow,
      { hstType, start, stop }: { hstType: number; start: string; stop: string },
    ): Promise<HealthHistory> {
      const days = daysBetween(start, stop);
      const isNamed = days <= HISTORY_DAYS.named;
      const data = await health.history({ farmId: farm.id, kind: hstType, start, stop, isNamed });
      const description = historyTypes[hstType] ?? '';
      return { farmUID: farm.uid, description, start, stop, type: hstType, data };
    },
  };
}
export type HealthService = ReturnType<typeof createHealthService>;

function countsOf(units: readonly IpcStatus[], now: Date) {
  const { regular, occasional, outOfContact } = commsOf(units, now.getTime());
  return {
    regular: regular.length,
    occasional: occasional.length,
    outOfContact: outOfContact.length,
    total: regular.length + occasional.length + outOfContact.length,
  };
}

/** How many are silent, and what explains it. */
function silence(passed: UnitsWithPassers, now: Date): Pick<SprinklerComms, 'silent' | 'cause'> {
  const inService = passed.units.filter(({ unit }) => unit.condition !== conditions.outOfService);
  const { silent, cause } = silenceOf(
    inService.map(({ unit: { lat, lng, statustime }, gatewayUID }) => ({
      location: lat === null || lng === null ? null : { lat, lng },
      heardAt: statustime || null,
      gatewayUID,
    })),
    passed,
    now.getTime(),
  );
  return { silent, cause: cause && { ...cause, heardAt: new Date(cause.heardAt).toISOString() } };
}

type Figure = 'Clock' | 'Battery' | 'Schedule';
type Figures<F extends Figure> = Record<`${'min' | 'max' | 'cur'}${F}`, number | null>;

/** Lowest, highest and present percentage. Days on which no unit was in contact say nothing. */
function figures<F extends Figure>(
  name: F,
  member: Exclude<keyof HealthCounts, 'inContact'>,
  present: HealthCounts,
  days: readonly HealthDayRow[],
): Figures<F> {
  const past = days
    .map((day) => percentOf(day[member], day.inContact))
    .filter((percent): percent is number => percent !== null);
  return {
    [`min${name}`]: past.length > 0 ? Math.min(...past) : null,
    [`max${name}`]: past.length > 0 ? Math.max(...past) : null,
    [`cur${name}`]: percentOf(present[member], present.inContact),
  } as Figures<F>;
}

function silentFirst(units: readonly IpcStatus[]): CommsUnit[] {
  return units
    .toSorted((a, b) => a.statustime - b.statustime || (a.name < b.name ? -1 : 1))
    .map(({ id, name, serial, statustime }) => ({
      id,
      name,
      serialNumber: serial,
      statusTime: statustime === 0 ? null : new Date(statustime).toISOString(),
    }));
}

/** Days of a range, both ends included. */
function daysBetween(start: string, stop: string): number {
  const [from, to] = [readDay(start, 'start'), readDay(stop, 'stop')];
  const days = (to - from) / DAY_MS + 1;
  if (days < 1) throw invalid('Must not be before start.', 'stop');
  if (days > HISTORY_DAYS.most)
    throw invalid(`Must be at most ${HISTORY_DAYS.most - 1} days after start.`, 'stop');
  return days;
}

function readDay(text: string, field: string): number {
  const at = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text)
    throw invalid('There is no such day.', field);
  return at;
}
