import type { ReadingNumbers } from '@headrace/contract/rules/reading-numbers';
import { sql } from 'kysely';
import type { ReckonedVolumes, TakeAccount } from '@headrace/contract/rules/water-take/account';
import { quarterStart } from '@headrace/contract/rules/water-take/clock';
import { accuracyOf } from '@headrace/contract/rules/water-take/limits';
import { lastEnd } from '@headrace/contract/rules/water-take/packed-stretches';
import { type MeterDays, volumesAtPlaces } from '@headrace/contract/rules/water-take/places';
import { ALIVE_MS, SHARED_MS } from '@headrace/contract/rules/water-take/volume';
import type { Db } from '../../db/client.ts';
import { deviceColumns } from '../../db/columns.ts';
import type { DeviceRow } from '../../db/schema.ts';
import type { Range } from '../series/rollup-query.ts';
import { doInTurns } from '../../jobs/in-turns.ts';
import { type Heard, meterVolumes, NOTHING, type Reckoning, UNHEARD } from './meter-stretches.ts';
import { restingOn, takeReadingPages } from './take-readings.ts';
import type { MeterRow, TakeRecord } from './takes.repo.ts';

/** What went through a take's meters, before it is put together by places. */
export interface MetersRead {
  readonly meters: readonly (MeterDays & { readonly meter: MeterRow })[];
  /** Since when it was read, epoch ms. */
  readonly from: number;
  readonly known: Omit<TakeVolumes, 'places' | 'rows'>;
}

export interface TakeVolumes extends ReckonedVolumes {
  readonly heard: ReadonlyMap<MeterRow, Heard>;
}

/** As the server has it: with the whole take, and with when its meters spoke. */
export interface Account extends TakeAccount {
  readonly take: TakeRecord;
  readonly volumes: TakeVolumes;
}

/** What a take's meters said in a range of whole quarters (epoch ms), as volumes. */
export async function readMeterVolumes(
  db: Db,
  farmId: number,
  take: Pick<TakeRecord, 'meters'>,
  range: Range,
  reckoning: Reckoning,
): Promise<MetersRead> {
  const { now } = reckoning;
  const inTime = take.meters.filter(
    ({ startsAt, endsAt }) => startsAt.getTime() < range.to && (endsAt?.getTime() ?? Infinity) > range.from,
  );
  const devices = await readDevices(db, farmId, inTime);
  const heard = new Map<MeterRow, Heard>();
  const meters: (MeterDays & { readonly meter: MeterRow })[] = [];
  const others = new Set<number>();
  for (const meter of inTime) {
    const device = devices.get(meter.deviceId);
    const found = device ? await meterVolumes(db, device, meter, range, reckoning) : null;
    const { span, days, heard: when } = found ?? NOTHING;
    heard.set(meter, when);
    meters.push({ meter, span, days });
    for (const day of found?.others ?? []) others.add(day);
  }
  const until = Math.min(range.to, heardUntil(meters, heard, now.getTime()));
  const accuracy = Math.max(accuracyOf('full'), ...inTime.map(({ pipe }) => accuracyOf(pipe)));
  return { meters, from: range.from, known: { until, accuracy, others, heard } };
}

/** A take's quarters, put together by places. */
export async function volumesOf({ meters, from, known }: MetersRead): Promise<TakeVolumes> {
  const to = Math.max(known.until, from);
  return { ...known, ...(await doInTurns(volumesAtPlaces(meters, { from, to }))) };
}

async function readDevices(
  db: Db,
  farmId: number,
  meters: readonly MeterRow[],
): Promise<Map<number, DeviceRow>> {
  if (meters.length === 0) return new Map();
  const rows = await db
    .selectFrom('device')
    .select(deviceColumns)
    .where('farm_id', '=', farmId)
    .where(
      'id',
      'in',
      meters.map(({ deviceId }) => deviceId),
    )
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** By meter, each read once. */
export type SaidPages = ReadonlyMap<MeterRow, AsyncIterable<ReadingNumbers>>;

/** How many readings of a take there are in a range, by the hours that are kept of them. */
export async function countSaid(db: Db, farmId: number, takeId: number, range: Range): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(h.n), 0)::float8 as count from take_meter m
    join series s on s.farm_id = m.farm_id and s.device_id = m.device_id and s.metric = m.metric
    join reading_hour h on h.farm_id = s.farm_id and h.series_id = s.id
    where m.farm_id = ${farmId} and m.take_id = ${takeId}
      and h.at >= greatest(${new Date(range.from)}, m.starts_at)
      and h.at < least(${new Date(range.to)}, coalesce(m.ends_at, 'infinity'))`.execute(db);
  return rows[0]?.count ?? 0;
}

/** What all of it rests on, page by page: readings of a range, with those next to it, while its meters were in place. */
export async function readSaid(
  db: Db,
  farmId: number,
  take: Pick<TakeRecord, 'meters'>,
  range: Range,
  now: Date,
): Promise<SaidPages> {
  const devices = await readDevices(db, farmId, take.meters);
  const said = new Map<MeterRow, AsyncIterable<ReadingNumbers>>();
  for (const meter of take.meters) {
    const device = devices.get(meter.deviceId);
    const from = Math.max(range.from, meter.startsAt.getTime());
    const to = Math.min(range.to, meter.endsAt?.getTime() ?? Infinity, now.getTime());
    if (device && to > from)
      said.set(meter, restingOn(takeReadingPages(db, device, meter.metric, { from, to }), range));
  }
  return said;
}

/** A quarter whose next reading may still come isn't missing yet. */
function heardUntil(meters: MetersRead['meters'], heard: ReadonlyMap<MeterRow, Heard>, now: number): number {
  const ends = meters
    .filter(({ meter: { endsAt } }) => endsAt === null || endsAt.getTime() > now)
    .map(({ meter, days }) => {
      const { first, last: known } = heard.get(meter) ?? UNHEARD;
      const last = known ?? -Infinity;
      if (!meter.isByVolume) return Math.max(last, now - SHARED_MS);
      // Of one that lives, a part of its next step may have gone through since its last.
      if (last <= now - ALIVE_MS) return now - ALIVE_MS;
      return lastEnd(days) ?? first ?? last;
    });
  return quarterStart(Math.min(now, ...ends));
}
