import type { PoolClient } from 'pg';
import type { UnitKey } from '../../db/unit-keys.ts';
import {
  type ValveObservation,
  type WateringRun,
  wateringRuns,
  observationsOfRun,
} from '@headrace/contract/rules/watering-runs';
import { readNeighbours, type Span, type StoredRun } from './neighbours.ts';
import { removeRuns, saveRuns } from './save-runs.ts';
import { readRates, type UnitRates } from './unit-rates.ts';

/** What a sprinkler said of its valve. */
export type UnitReport = ValveObservation & UnitKey;

/** A run without what its sprinkler gave: it is new. */
type FoundRun = WateringRun & UnitKey & Partial<UnitRates>;

/**
 * Stores the runs that these reports begin, end or change, in ingest's transaction. The result is the same in whatever order reports
 * arrive. The readings of the batch must be stored before. A run keeps what its sprinkler was set to give when it was first told of.
 */
export async function writeWaterings(client: PoolClient, reports: readonly UnitReport[]): Promise<void> {
  if (reports.length === 0) return;
  const units = byUnit(reports);
  const near = await readNeighbours(client, units.map(spanOf));
  const removed: StoredRun[] = [];
  const saved: FoundRun[] = [];
  for (const unit of units) {
    const before = near.runs.filter((run) => isOf(run, unit));
    const known = near.reports.filter((report) => isOf(report, unit));
    const after = wateringRuns([...unit.reports, ...known, ...before.flatMap(observationsOfRun)]);
    removed.push(...before.filter((run) => !after.some(({ openedAt }) => openedAt === run.openedAt)));
    const changed = after.filter((run) => !before.some((old) => isEqual(old, run)));
    saved.push(...changed.map((run) => ({ ...ratesKept(run, before), ...run, ...keyOf(unit) })));
  }
  const runs = await withRates(client, saved);
  await removeRuns(client, removed);
  await saveRuns(client, runs);
}

/** Of the run that it was stored as: the same one, or one that it lay in or beside. */
function ratesKept(run: WateringRun, before: readonly StoredRun[]): UnitRates | undefined {
  const endOf = ({ closedAt, openUntil }: WateringRun) => closedAt ?? openUntil;
  const old = before.find(
    (one) => one.openedAt === run.openedAt || (one.openedAt <= endOf(run) && endOf(one) >= run.openedAt),
  );
  return old && { lps: old.lps, mmPerMin: old.mmPerMin, isPart: old.isPart };
}

async function withRates(client: PoolClient, runs: readonly FoundRun[]): Promise<StoredRun[]> {
  const fresh = new Map(runs.filter(({ lps }) => lps === undefined).map((run) => [run.deviceId, keyOf(run)]));
  const rates = await readRates(client, [...fresh.values()]);
  const nothing: UnitRates = { lps: 0, mmPerMin: 0, isPart: false };
  return runs.map((run) => ({ ...(rates.get(run.deviceId) ?? nothing), ...run }));
}

const keyOf = ({ farmId, deviceId }: UnitKey): UnitKey => ({ farmId, deviceId });

type ReportsOfUnit = UnitKey & { readonly reports: [UnitReport, ...UnitReport[]] };

/** In the order in which every writer takes its locks. */
function byUnit(reports: readonly UnitReport[]): ReportsOfUnit[] {
  const units = new Map<string, ReportsOfUnit>();
  for (const report of reports) {
    const { farmId, deviceId } = report;
    const unit = units.get(`${farmId}/${deviceId}`);
    if (unit) unit.reports.push(report);
    else units.set(`${farmId}/${deviceId}`, { farmId, deviceId, reports: [report] });
  }
  return [...units.values()].toSorted((a, b) => a.farmId - b.farmId || a.deviceId - b.deviceId);
}

function spanOf({ farmId, deviceId, reports }: ReportsOfUnit): Span {
  const times = reports.map(({ at }) => at);
  return { farmId, deviceId, from: Math.min(...times), to: Math.max(...times) };
}

const isOf = (one: UnitKey, other: UnitKey) => one.farmId === other.farmId && one.deviceId === other.deviceId;

const isEqual = (one: WateringRun, other: WateringRun) =>
  one.openedAt === other.openedAt &&
  one.openedHow === other.openedHow &&
  one.openUntil === other.openUntil &&
  one.closedAt === other.closedAt &&
  one.closedHow === other.closedHow;
