import { sql } from 'kysely';
import { isWithin } from '@headrace/contract/rules/within';
import { ALIVE_MS } from '@headrace/contract/rules/water-take/volume';
import type { Db } from '../../db/client.ts';
import { fallsOf, turnsInDoubt, withoutComebacks } from './comebacks.ts';
import { ofOne } from './good-readings.ts';
import type { Rollup, RollupSeries } from './rollup-query.ts';
import type { WantedSeries } from './series-limits.ts';
import { stepBetween } from './step-between.ts';

/** Hours of one series that are looked into, newest first: a register that goes round in more of them is a small one. */
const MOST = 50;

/**
 * Hours of a running total without what it only seemed to count. Those in which it may have gone round its register count what their
 * readings do; where these are no longer kept, what can be told by hours.
 */
export async function countedHours(
  db: Db,
  farmId: number,
  { id, limits, wrapAt }: Pick<WantedSeries, 'id' | 'limits' | 'wrapAt'>,
  hours: RollupSeries,
): Promise<RollupSeries> {
  const falls = fallsOf(hours, wrapAt);
  const told = withoutComebacks(hours, falls);
  const counted = new Map<number, Rollup>();
  const doubted = turnsInDoubt(hours, falls, wrapAt).slice(-MOST);
  const readings = await readingsAround(db, farmId, id, doubted);
  for (const hour of doubted) {
    const around = readings.get(hour.at) ?? [];
    const good = around.filter(({ value }) => !limits || isWithin(limits, value));
    const rises = countedIn(hour, good, wrapAt);
    if (rises !== null) counted.set(hour.at, rises === hour.rises ? hour : { ...hour, rises, fastest: null });
  }
  return counted.size === 0 ? told : { ...told, rows: told.rows.map((row) => counted.get(row.at) ?? row) };
}

interface Reading {
  readonly at: number;
  readonly value: number;
}

/** Of each hour by its start, oldest first, with those of an hour to either side, by which it is judged. In one statement. */
async function readingsAround(
  db: Db,
  farmId: number,
  seriesId: number,
  hours: readonly Rollup[],
): Promise<ReadonlyMap<number, readonly Reading[]>> {
  const found = new Map<number, Reading[]>(hours.map(({ at }) => [at, []]));
  if (hours.length === 0) return found;
  const ends = hours.map(({ at, firstAt, lastAt }) => ({
    at,
    since: new Date(firstAt - ALIVE_MS),
    until: new Date(lastAt + ALIVE_MS),
  }));
  const { rows } = await sql<{ hour: number; at: Date; value: number }>`
    select hour.at as hour, said.at, said.value
    from jsonb_to_recordset(${JSON.stringify(ends)}::jsonb) as hour (at float8, since timestamptz, until timestamptz)
    cross join lateral (
      select at, value from reading
      where farm_id = ${farmId} and series_id = ${seriesId} and at between hour.since and hour.until and value is not null
    ) said
    order by hour.at, said.at`.execute(db);
  for (const { hour, at, value } of rows) found.get(hour)?.push({ at: at.getTime(), value });
  return found;
}

/** Null: its readings are not all there. */
function countedIn(
  { firstAt, lastAt, n }: Rollup,
  readings: readonly Reading[],
  wrapAt: number | null,
): number | null {
  const all = readings.map(({ at, value }, nth) =>
    ofOne(at, value, stepBetween(readings[nth - 1]?.value ?? null, value, { isCounter: true, wrapAt })),
  );
  const [before = null, ...rows] = all;
  const isOfHour = ({ at }: Rollup) => at >= firstAt && at <= lastAt;
  if (all.filter(isOfHour).length < n || (before && isOfHour(before))) return null;
  const series = { before, rows, after: null };
  const own = withoutComebacks(series, fallsOf(series, wrapAt)).rows.filter(isOfHour);
  return own.reduce((sum, { rises }) => sum + rises, 0);
}
