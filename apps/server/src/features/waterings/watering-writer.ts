import type { PoolClient } from 'pg';
import {
  type ValveWord,
  type WateringRun,
  wateringRuns,
  wordsOfRun,
} from '@headrace/contract/rules/watering-runs';
import { readNeighbours, type Span, type StoredRun, type UnitKey } from './neighbours.ts';
import { removeRuns, saveRuns } from './save-runs.ts';

/** What a sprinkler said of its valve. */
export type UnitWord = ValveWord & UnitKey;

/**
 * Stores the runs that these reports begin, end or change, in ingest's transaction. The result is the same in whatever order reports
 * arrive. The readings of the batch must be stored before.
 */
export async function writeWaterings(client: PoolClient, words: readonly UnitWord[]): Promise<void> {
  if (words.length === 0) return;
  const units = byUnit(words);
  const near = await readNeighbours(client, units.map(spanOf));
  const removed: StoredRun[] = [];
  const saved: StoredRun[] = [];
  for (const unit of units) {
    const before = near.runs.filter((run) => isOf(run, unit));
    const known = near.words.filter((word) => isOf(word, unit));
    const after = wateringRuns([...unit.words, ...known, ...before.flatMap(wordsOfRun)]);
    removed.push(...before.filter((run) => !after.some(({ openedAt }) => openedAt === run.openedAt)));
    const changed = after.filter((run) => !before.some((old) => isEqual(old, run)));
    saved.push(...changed.map((run) => ({ ...run, farmId: unit.farmId, deviceId: unit.deviceId })));
  }
  await removeRuns(client, removed);
  await saveRuns(client, saved);
}

type UnitWords = UnitKey & { readonly words: [UnitWord, ...UnitWord[]] };

/** In the order in which every writer takes its locks. */
function byUnit(words: readonly UnitWord[]): UnitWords[] {
  const units = new Map<string, UnitWords>();
  for (const word of words) {
    const { farmId, deviceId } = word;
    const unit = units.get(`${farmId}/${deviceId}`);
    if (unit) unit.words.push(word);
    else units.set(`${farmId}/${deviceId}`, { farmId, deviceId, words: [word] });
  }
  return [...units.values()].toSorted((a, b) => a.farmId - b.farmId || a.deviceId - b.deviceId);
}

function spanOf({ farmId, deviceId, words }: UnitWords): Span {
  const times = words.map(({ at }) => at);
  return { farmId, deviceId, from: Math.min(...times), to: Math.max(...times) };
}

const isOf = (one: UnitKey, other: UnitKey) => one.farmId === other.farmId && one.deviceId === other.deviceId;

const isEqual = (one: WateringRun, other: WateringRun) =>
  one.openedAt === other.openedAt &&
  one.openedHow === other.openedHow &&
  one.openUntil === other.openUntil &&
  one.closedAt === other.closedAt &&
  one.closedHow === other.closedHow;
