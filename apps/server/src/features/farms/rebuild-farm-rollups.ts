import type { Pool, PoolClient } from 'pg';
import { addDays, dayStart } from '@headrace/contract/rules/farm-time';
import { type FieldMapping, wrapOf } from '@headrace/device/field-mapping';
import { sensorMetrics } from '@headrace/device/metrics';
import type { Timezone } from '@headrace/contract/farms';
import { inTransaction } from '../../db/partitions.ts';
import { bucketRange, type Span } from '../series/buckets.ts';
import { kindOf, type Series } from '../readings/fold-rollups.ts';
import { type LateBuckets, rebuildBuckets } from '../readings/rebuild-rollups.ts';

/** Every server has heard of the new clock by then, and what was being written by the old one is stored. */
const SETTLE_MS = 60_000;
/** Devices of a series wait this long at most for one step: about a month of it is made anew in some 50 ms. */
const STEP_DAYS = 30;
/** Other jobs and a stopping server wait no longer than this for one run, ms. */
const RUN_MS = 5000;

interface ClockChange extends Timezone {
  farmId: number;
  at: Date;
  seriesDone: number;
  /** The clock is as it was: hours and days lack what is told of flows by time. */
  flowsOnly: boolean;
}

/** What flows are told from. */
const flowMetrics = sensorMetrics.flatMap(({ name, kind }) =>
  kind === 'rate' || kind === 'counter' || kind === 'delta' ? [name] : [],
);

/**
 * Makes the hours and days of farms anew whose clock was changed, or whose flows were stored by an earlier version, from raw readings: those whose raw readings are no longer
 * kept stay as the old clock cut them. Goes on where it was when time is up or the server stops.
 */
export async function rebuildFarmRollups(pool: Pool, now: Date, runMs = RUN_MS): Promise<void> {
  const until = performance.now() + runMs;
  const { rows } = await pool.query<ClockChange>(changesText, [new Date(now.getTime() - SETTLE_MS)]);
  for (const change of rows) {
    for (;;) {
      const series = await nextSeries(pool, change);
      if (!series) break;
      await rebuildSeries(pool, series);
      change.seriesDone = series.id;
      if (!(await noteDone(pool, change))) break;
      if (performance.now() > until) return;
    }
    await pool.query('delete from farm_clock_change where farm_id = $1 and at = $2 and series_done = $3', [
      change.farmId,
      change.at,
      change.seriesDone,
    ]);
  }
}

const changesText = `select c.farm_id as "farmId", c.at, c.series_done as "seriesDone", c.flows_only as "flowsOnly", f.time_zone_id as "timeZoneId",
    f.raw_offset as "rawOffset", f.dst_offset as "dstOffset", f.dst_enabled as "dstEnabled"
  from farm_clock_change c join farm f on f.id = c.farm_id
  where c.at <= $1 and f.deleted_at is null order by c.at, c.farm_id`;

const nextText = `select s.id, s.metric, d.mapping from series s
  join device d on d.farm_id = s.farm_id and d.id = s.device_id
  where s.farm_id = $1 and s.id > $2 and ($3::text[] is null or s.metric = any($3)) order by s.id limit 1`;

async function nextSeries(pool: Pool, change: ClockChange): Promise<Series | null> {
  const { farmId, seriesDone, flowsOnly, timeZoneId, rawOffset, dstOffset, dstEnabled } = change;
  const { rows } = await pool.query<{ id: number; metric: string; mapping: FieldMapping | null }>(nextText, [
    farmId,
    seriesDone,
    flowsOnly ? flowMetrics : null,
  ]);
  const [row] = rows;
  if (!row) return null;
  const { id, metric, mapping } = row;
  return {
    farmId,
    id,
    ...kindOf(metric),
    wrapAt: wrapOf(mapping, metric),
    zone: { timeZoneId, rawOffset, dstOffset, dstEnabled },
  };
}

/** False when the clock was changed again meanwhile: then all begins anew. */
async function noteDone(pool: Pool, { farmId, at, seriesDone }: ClockChange): Promise<boolean> {
  const { rowCount } = await pool.query(
    'update farm_clock_change set series_done = $3 where farm_id = $1 and at = $2',
    [farmId, at, seriesDone],
  );
  return rowCount === 1;
}

const rawText = `select date_part('epoch', min(at)) * 1000 as first, date_part('epoch', max(at)) * 1000 as last,
    exists (select from reading_hour h where h.farm_id = $1 and h.series_id = $2
      and h.first_at < (select min(at) from reading where farm_id = $1 and series_id = $2)) as "isPartial"
  from reading where farm_id = $1 and series_id = $2`;

async function rebuildSeries(pool: Pool, series: Series): Promise<void> {
  const { rows } = await pool.query<{ first: number | null; last: number | null; isPartial: boolean }>(
    rawText,
    [series.farmId, series.id],
  );
  const [raw] = rows;
  if (!raw || raw.first === null || raw.last === null) return;
  const firstDay = dayStart(series.zone, raw.first);
  // Raw history that begins in the middle of a day can't give that day as a whole.
  let from = raw.isPartial ? addDays(series.zone, firstDay, 1) : firstDay;
  // What tanks used on the days of the old clock is counted anew, see count-level-days.
  await pool.query(
    'delete from level_day where farm_id = $1 and series_id = $2 and at >= to_timestamp($3::float8 / 1000)',
    [series.farmId, series.id, addDays(series.zone, from, -1)],
  );
  while (from <= raw.last) {
    const start = from;
    const end = addDays(series.zone, start, STEP_DAYS);
    await inTransaction(pool, (client) => rebuildStep(client, series, start, end));
    from = end;
  }
}

/** Until the commit nobody else adds to this series, see reading-writer. */
async function rebuildStep(client: PoolClient, series: Series, from: number, to: number): Promise<void> {
  const key = [series.farmId, series.id];
  await client.query('select 1 from latest where farm_id = $1 and series_id = $2 for update', key);
  for (const span of ['hour', 'day'] as const) {
    // By their first reading: a bucket of the old clock may be named by a time before this step.
    await client.query(
      `delete from reading_${span} where farm_id = $1 and series_id = $2
        and first_at >= to_timestamp($3::float8 / 1000) and first_at < to_timestamp($4::float8 / 1000)`,
      [...key, from, to],
    );
    await rebuildBuckets(client, span, bucketsBetween(series, span, from, to));
  }
}

function bucketsBetween(series: Series, span: Span, from: number, to: number): LateBuckets[Span] {
  const buckets = new Map<string, { series: Series } & ReturnType<typeof bucketRange>>();
  let at = from;
  while (at < to) {
    const range = bucketRange(series.zone, span, at);
    buckets.set(`${series.id} ${range.start}`, { series, ...range });
    at = range.to;
  }
  return buckets;
}
