import { observedComms, type ReportTimes } from '@headrace/contract/rules/comms';
import { batteryPercent, deadBandPercent, settingsAtFault, tankShape } from '@headrace/contract/rules/tank';
import type { TankInfo } from '@headrace/contract/tanks';
import { configFault } from '../sensor-config/config-fault.ts';
import { flagOf, type TankFacts, toSummary, valueOf } from './tank-summary.ts';
import type { ConfigUpdateRow } from './tanks.repo.ts';

export interface TankDetails {
  /** Litres; null for a day of which nothing is known. */
  todayUsage: number | null;
  yesterdayUsage: number | null;
  /** When levels were received. */
  reports: ReportTimes;
  configUpdates: readonly ConfigUpdateRow[];
}

export function toInfo(farmUid: string, facts: TankFacts, details: TankDetails, now: number): TankInfo {
  const { device, latest } = facts;
  const shape = tankShape(device.settings);
  const observed = observedComms(details.reports, now);
  return {
    ...toSummary(facts, now),
    farmUID: farmUid,
    battery: batteryPercent(valueOf(latest, 'batteryV')),
    charge: flagOf(latest, 'charging'),
    fault: flagOf(latest, 'fault'),
    commsHealth: {
      commsInterval: valueOf(latest, 'commsIntervalMin') ?? observed.interval,
      commsQuality: fraction(valueOf(latest, 'commsQuality')) ?? observed.quality,
    },
    todayUsage: details.todayUsage,
    yesterdayUsage: details.yesterdayUsage,
    volume: shape.volume,
    offsetScaled: deadBandPercent(shape),
    height: shape.height,
    toplevel: shape.toplevel,
    levelFault: settingsAtFault(shape, valueOf(latest, 'levelMm')),
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
