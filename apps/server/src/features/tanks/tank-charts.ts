import { tankShape } from '@headrace/contract/rules/tank';
import type { BatteryPoint, LevelPoint, UsagePoint } from '@headrace/contract/tanks';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import { amountSpan, historyRange, meanSpan, type Period } from '../series/history-range.ts';
import { batteryPoints, levelPoints } from './history-points.ts';
import { requireTank } from './require-tank.ts';
import { valueOf } from './tank-summary.ts';
import type { ReadTankUsage } from './tank-usage-reader.ts';
import { usagePoints } from './usage-points.ts';
import type { TanksRepo } from './tanks.repo.ts';

const MINUTE = 60_000;

/** The series that the charts of one tank draw. */
export function createTankCharts(tanks: TanksRepo, usage: ReadTankUsage) {
  return {
    async levelHistory(farm: FarmRow, device: DeviceRow, period: Period, now: Date): Promise<LevelPoint[]> {
      requireTank(device);
      const zone = toZone(farm);
      const range = historyRange(zone, period, now.getTime());
      const span = meanSpan(range);
      const { latest, series } = await tanks.device(device, ['levelMm'], { span, range });
      const minutes = valueOf(latest, 'commsIntervalMin');
      const { rows } = series('levelMm');
      return levelPoints(
        zone,
        span,
        tankShape(device.settings),
        rows,
        minutes === null ? null : minutes * MINUTE,
      );
    },

    /** A zero where the device was heard and nothing left the tank; no point where it was not heard. */
    async usageHistory(farm: FarmRow, device: DeviceRow, period: Period, now: Date): Promise<UsagePoint[]> {
      requireTank(device);
      const zone = toZone(farm);
      const range = historyRange(zone, period, now.getTime());
      const span = amountSpan(range);
      const amounts = await usage(zone, device, span, range);
      return usagePoints(zone, span, amounts, now.getTime());
    },

    async batteryHistory(
      farm: FarmRow,
      device: DeviceRow,
      period: Period,
      now: Date,
    ): Promise<BatteryPoint[]> {
      requireTank(device);
      const range = historyRange(toZone(farm), period, now.getTime());
      const asked = { span: meanSpan(range), range };
      const { series } = await tanks.device(device, ['batteryV', 'charging'], asked);
      return batteryPoints(series('batteryV').rows, series('charging').rows);
    },
  };
}
