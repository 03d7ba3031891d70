import type { BatteryLife } from '@headrace/contract/battery-life';
import { HOURLY_MAX_DAYS } from '@headrace/contract/limits';
import { isPossible } from '@headrace/contract/rules/metric-limits';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { replacedAt } from '../devices/battery.ts';
import { requireKind } from '../devices/device-entries.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import { historyRange } from '../series/history-range.ts';
import { seriesPoints } from '../series/series-points.ts';
import { batteryChanges } from './battery-changes.ts';
import type { BatteryLifeRepo } from './battery-life.repo.ts';

interface Asked {
  readonly period?: number | undefined;
  readonly stopAt?: string | undefined;
}
/** Below how many percent a device's battery is low, by the gateway that hears it. */
type ChargeLimits = (farmId: number) => Promise<(gatewayId: number | null) => { readonly charge: number }>;

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
      const replaced = replacedAt(device);
      return {
        // The extremes of one reading are itself.
        charge: span === 'day' ? points : points.map((point) => ({ ...point, lowest: null, highest: null })),
        span,
        changes: batteryChanges(changes, replaced === null ? null : Date.parse(replaced), range),
        threshold: limitsOf(device.gateway_id).charge,
      };
    },
  };
}
