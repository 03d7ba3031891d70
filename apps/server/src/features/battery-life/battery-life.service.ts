import type { BatteryChange, BatteryLife } from '@headrace/contract/battery-life';
import { type DayCharge, FORECAST_DAYS } from '@headrace/contract/rules/battery-forecast';
import { addDays, dayStart } from '@headrace/contract/rules/farm-time';
import { HOURLY_MAX_DAYS } from '@headrace/contract/limits';
import { isPossible } from '@headrace/contract/rules/metric-limits';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { replacedAt } from '../devices/battery.ts';
import { requireKind } from '../devices/device-entries.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import { historyRange } from '../series/history-range.ts';
import type { Range } from '../series/rollup-query.ts';
import { extremesOfValid } from '../series/row-values.ts';
import { seriesPoints } from '../series/series-points.ts';
import { batteryChanges } from './battery-changes.ts';
import type { BatteryLifeRepo } from './battery-life.repo.ts';

interface Asked {
  readonly period?: number | undefined;
  readonly stopAt?: string | undefined;
}
/** Below how many percent a device's battery is low, by the gateway that hears it. */
export type ChargeLimits = (
  farmId: number,
) => Promise<(gatewayId: number | null) => { readonly charge: number }>;

const DAY_MS = 86_400_000;
const canBe = isPossible('charge');

/** How the batteries of sprinklers and repeaters fared. */
export function createBatteryLifeService(batteries: BatteryLifeRepo, limits: ChargeLimits) {
  return {
    async of(
      farm: FarmRow,
      device: DeviceRow,
      kind: 'sprinkler' | 'repeater',
      { period, stopAt }: Asked,
      now: Date,
    ): Promise<BatteryLife> {
      requireKind(device, kind);
      const range = historyRange(toZone(farm), { days: period, stopAt }, now.getTime());
      const span = range.days > HOURLY_MAX_DAYS ? 'day' : 'reading';
      const [rows, changes, limitsOf] = await Promise.all([
        batteries.charge(device, span, range),
        batteries.changes(device),
        limits(farm.id),
      ]);
      const points = seriesPoints('gauge', rows, canBe);
      return {
        // The extremes of one reading are itself.
        charge: span === 'day' ? points : points.map((point) => ({ ...point, lowest: null, highest: null })),
        span,
        changes: batteryChanges(changes, lastBattery(device), range),
        threshold: limitsOf(device.gateway_id).charge,
      };
    },

    /** New batteries of the unit that stands there now, in a time; the oldest first. */
    async replacements(device: DeviceRow, range: Range): Promise<BatteryChange[]> {
      const changes = await batteries.changes(device);
      return batteryChanges(changes, lastBattery(device), range).filter(({ how }) => how === 'battery');
    },

    /**
     * The lowest charge of each of the last whole days that began with the battery that is in now; today is day 0, yesterday -1.
     */
    async lately(farm: FarmRow, device: DeviceRow, now: Date): Promise<DayCharge[]> {
      const zone = toZone(farm);
      const today = dayStart(zone, now.getTime());
      const range = { from: addDays(zone, today, -FORECAST_DAYS), to: today };
      const [rows, changes] = await Promise.all([
        batteries.charge(device, 'day', range),
        batteries.changes(device),
      ]);
      const ever = { from: 0, to: now.getTime() + 1 };
      const since = Date.parse(batteryChanges(changes, lastBattery(device), ever).at(-1)?.at ?? '1970-01-01');
      return rows.flatMap((row) => {
        const lowest = row.at >= since ? extremesOfValid(row, canBe)?.lowest : undefined;
        return lowest === undefined ? [] : [{ day: Math.round((row.at - today) / DAY_MS), lowest }];
      });
    },
  };
}
export type BatteryLifeService = ReturnType<typeof createBatteryLifeService>;

/** By its record, epoch ms. */
function lastBattery(device: DeviceRow): number | null {
  const at = replacedAt(device);
  return at === null ? null : Date.parse(at);
}
