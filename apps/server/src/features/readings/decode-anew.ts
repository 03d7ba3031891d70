import type { Pool, PoolClient } from 'pg';
import { ensurePartitions, inTransaction } from '../../db/partitions.ts';
import { groupBy } from '../../group-by.ts';
import { remedyFor } from './batch-failure.ts';
import { type Correction, correctReadings, readingsOf, timeKey } from './correct-readings.ts';
import type { KnownDevice } from './device-directory.ts';
import type { DueHeld } from './due-uplinks.ts';
import type { LastUplink } from './last-uplinks.ts';
import { writeLastUplinks } from './last-uplinks.ts';
import { endWaiting } from './raw-uplinks.ts';
import { readPayload } from './read-payload.ts';
import type { SeriesDirectory } from './series-directory.ts';
import { numberArray } from '../../db/sql-arrays.ts';
import { EventCollector, eventTypeOf, type StatusEvent } from './status-events.ts';

/** An uplink that was decoded once more; `device` is null when the sensor is gone. */
export interface Redecoded {
  readonly held: DueHeld;
  readonly device: KnownDevice | null;
}

/** Stores what uplinks of one farm mean now; rejects while it can't. */
export type Corrector = (decoded: readonly Redecoded[]) => Promise<void>;

interface CorrectorOptions {
  readonly pool: Pool;
  readonly series: SeriesDirectory;
  readonly now: () => Date;
  /** After each commit, what changed. */
  readonly onCommitted: (events: StatusEvent[]) => void;
}

/** What one uplink means now. */
interface Meaning {
  readonly held: DueHeld;
  readonly correction: Correction | null;
  readonly last: LastUplink | null;
  /** Why it can't be read, or not all of it. */
  readonly problem: string | null;
}

const DAY_MS = 86_400_000;

/** What is decoded once more replaces what was decoded before. What can't be decoded now keeps its old values, and is counted. */
export function createCorrector({ pool, series, now, onCommitted }: CorrectorOptions): Corrector {
  async function correct(decoded: readonly Redecoded[]): Promise<void> {
    const meanings = decoded.map(meaningOf);
    try {
      await store(meanings);
    } catch (error) {
      // What can't be stored is found by itself and counts as not decoded; all else is tried again.
      if (remedyFor(error) !== 'isolate') throw error;
      if (decoded.length > 1) for (const one of decoded) await correct([one]);
      else await store(meanings.map((one) => withoutValues(one, `could not be stored: ${String(error)}`)));
    }
  }

  async function store(meanings: readonly Meaning[]): Promise<void> {
    const corrections = meanings.flatMap(({ correction }) => correction ?? []);
    // Series that are new are made before the transaction, and their months.
    await series.assign(corrections.flatMap(readingsOf));
    await ensurePartitions(pool, new Set(corrections.map(({ at }) => at - (at % DAY_MS))));
    const changed = await inTransaction(pool, async (client) => {
      const ended = await endWaiting(
        client,
        meanings.map(({ held }) => held.due),
      );
      const due = meanings.filter(({ held }) => ended.has(held.due.uplinkId));
      const wanted = due.flatMap(({ correction }) => correction ?? []);
      const times = await correctReadings(client, wanted, (readings) => series.assign(readings));
      await writeLastUplinks(
        client,
        due.flatMap(({ last }) => last ?? []),
      );
      await noteProgress(client, due, times, now());
      return due.filter(({ correction }) => correction && times.has(timeKey(correction)));
    });
    const events = new EventCollector();
    for (const { correction } of changed)
      if (correction) events.add(correction.device, eventTypeOf(correction.device), correction.at);
    const all = events.all();
    if (all.length > 0) onCommitted(all);
  }

  return correct;
}

function meaningOf({ held, device }: Redecoded): Meaning {
  const { part } = held;
  if (!device) return { held, correction: null, last: null, problem: 'the sensor is gone' };
  if (part.kind !== 'network') return { held, correction: null, last: null, problem: 'it can not be read' };
  const payload = readPayload(device, part);
  if (!payload) return { held, correction: null, last: null, problem: null };
  const { fPort, fCnt, bytes, link } = part.uplink;
  const at = Date.parse(part.uplink.at);
  const { readings, ...outcome } = payload;
  const problem = outcome.problems[0] ?? null;
  return {
    held,
    // What the network said of the link comes first, as it did when the uplink came.
    correction:
      readings.length === 0 && problem !== null
        ? null
        : {
            device,
            at,
            uplinkId: held.due.uplinkId,
            readings: [...link, ...readings],
            isWhole: problem === null,
          },
    last: {
      device,
      at: Math.min(at, held.message.receivedAt.getTime()),
      fPort,
      fCnt,
      bytes,
      tookMs: part.tookMs ?? null,
      ...outcome,
    },
    problem,
  };
}

const withoutValues = ({ held }: Meaning, problem: string): Meaning => ({
  held,
  correction: null,
  last: null,
  problem,
});

const progressText = `update decode_anew a set done = a.done + k.done, changed = a.changed + k.changed, failed = a.failed + k.failed,
    problem = coalesce(k.problem, a.problem),
    finished_at = case when not exists (
      select from uplink_due d where d.farm_id = a.farm_id and d.device_id = a.device_id and d.anew
    ) then $8::timestamptz end
  from unnest($1::int[], $2::int[], $3::int[], $4::int[], $5::int[], $6::int[], $7::text[])
    as k (farm_id, device_id, run, done, changed, failed, problem)
  where a.farm_id = k.farm_id and a.device_id = k.device_id and a.run = k.run`;

async function noteProgress(
  client: PoolClient,
  due: readonly Meaning[],
  times: ReadonlySet<string>,
  now: Date,
): Promise<void> {
  const rows = groupBy(due, ({ held }) => `${held.due.deviceId} ${held.due.run}`).flatMap((meanings) => {
    const [first] = meanings;
    if (!first) return [];
    const changed = meanings.filter(({ correction }) => correction && times.has(timeKey(correction)));
    const failed = meanings.filter(({ problem }) => problem !== null);
    return [
      {
        ...first.held.due,
        done: meanings.length,
        changed: changed.length,
        failed: failed.length,
        problem: failed.at(-1)?.problem ?? null,
      },
    ];
  });
  if (rows.length === 0) return;
  await client.query(progressText, [
    numberArray(rows.map(({ farmId }) => farmId)),
    numberArray(rows.map(({ deviceId }) => deviceId)),
    numberArray(rows.map(({ run }) => run)),
    numberArray(rows.map(({ done }) => done)),
    numberArray(rows.map(({ changed }) => changed)),
    numberArray(rows.map(({ failed }) => failed)),
    rows.map(({ problem }) => problem?.slice(0, 500) ?? null),
    now,
  ]);
}
