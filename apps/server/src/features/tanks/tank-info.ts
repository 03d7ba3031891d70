import { median } from '@headrace/contract/rules/spread';
import { batteryPercent, deadBandPercent, tankShape } from '@headrace/contract/rules/tank';
import type { TankInfo } from '@headrace/contract/tanks';
import { configFault } from '../sensor-config/config-fault.ts';
import { flagOf, type TankFacts, toSummary, valueOf } from './tank-summary.ts';
import type { ConfigUpdateRow } from './tanks.repo.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

export interface TankDetails {
  /** Litres; null for a day of which nothing is known. */
  todayUsage: number | null;
  yesterdayUsage: number | null;
  /** When levels were received in the last 24 h, oldest first, epoch ms. */
  readingTimes: readonly number[];
  configUpdates: readonly ConfigUpdateRow[];
}

export function toInfo(farmUid: string, facts: TankFacts, details: TankDetails, now: number): TankInfo {
  const { device, latest } = facts;
  const shape = tankShape(device.settings);
  const observed = observedComms(details.readingTimes, device.created_at.getTime(), now);
  return {
    ...toSummary(facts, now),
    farmUID: farmUid,
    battery: batteryPercent(valueOf(latest, 'batteryV')),
    charge: flagOf(latest, 'charging'),
    fault: flagOf(latest, 'fault'),
    commsHealth: {
      commsInterval: valueOf(latest, 'commsIntervalMin') ?? observed.commsInterval,
      commsQuality: fraction(valueOf(latest, 'commsQuality')) ?? observed.commsQuality,
    },
    todayUsage: details.todayUsage,
    yesterdayUsage: details.yesterdayUsage,
    volume: shape.volume,
    offsetScaled: deadBandPercent(shape),
    height: shape.height,
    toplevel: shape.toplevel,
    configUpdate: details.configUpdates.map((update) => ({
      _id: update.uid,
      type: update.type,
      createdAt: update.created_at.toISOString(),
      config: update.config,
      processedAt: update.processed_at?.toISOString() ?? null,
      error: configFault(update, now),
    })),
    configUpdatedAt: details.configUpdates[0]?.last_processed_at?.toISOString() ?? null,
  };
}

const fraction = (value: number | null) => (value === null ? null : Math.min(1, Math.max(0, value)));

/**
 * What a device that doesn't say so itself shows: the median gap in minutes, and received ÷ expected at that gap. Of a
 * device younger than a day only its own time counts. Two readings are needed to know anything.
 */
export function observedComms(
  times: readonly number[],
  createdAt: number,
  now: number,
): TankInfo['commsHealth'] {
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? at));
  const gap = median(gaps);
  if (gap === null || gap <= 0) return { commsInterval: null, commsQuality: null };
  const since = Math.min(times[0] ?? now, Math.max(now - DAY, createdAt));
  const expected = Math.max(1, Math.floor((now - since) / gap));
  return { commsInterval: gap / MINUTE, commsQuality: Math.min(1, times.length / expected) };
}
