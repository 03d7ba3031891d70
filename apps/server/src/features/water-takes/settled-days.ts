import { createHash } from 'node:crypto';
import { wrapOf } from '@headrace/device/field-mapping';
import { type RawBuilder, sql } from 'kysely';
import { DAY_MS } from '@headrace/contract/rules/water-take/clock';
import { AFTER, BEFORE } from '@headrace/contract/rules/water-take/meter-days';
import type { StretchNumbers } from '@headrace/contract/rules/water-take/packed-stretches';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';
import type { Range } from '../series/rollup-query.ts';
import { limitsOf } from '../series/series-limits.ts';
import type { MeterRow } from './takes.repo.ts';

export interface Kept {
  readonly now: Date;
  /** Readings from before are no longer kept, epoch ms. */
  readonly keptSince: number;
}

/** Days in UTC (their starts, epoch ms) of a meter that are reckoned once, with what they rest on. */
export interface SettledDays {
  readonly stretches: ReadonlyMap<number, StretchNumbers>;
  /** Of these, those that were reckoned with other settings: their readings are no longer kept. */
  readonly others: ReadonlySet<number>;
  /** What a day rests on, as it is now; null: it can change by itself still. */
  readonly printOf: (day: number) => string | null;
}

/**
 * What was reckoned of a meter's days, where it rests on the same as then: the sums of the hours around it, which each reading that comes
 * late or is changed changes as well, and the meter's own settings. So nobody has to unsettle anything. A day whose readings are no longer
 * kept stays as it was reckoned while they were. Asked before the readings are read: one that comes in between is of the next call.
 */
export async function readSettled(
  db: Db,
  device: DeviceRow,
  meter: MeterRow,
  { from, to }: Range,
  { now, keptSince }: Kept,
): Promise<SettledDays> {
  const printNow = await printsOf(db, device, meter, { from, to }, FORM);
  const printOf = (day: number) => (day + AFTER * DAY_MS > now.getTime() ? null : printNow(day));
  const rows = await db
    .selectFrom('take_meter_day')
    .select(['day', 'print', 'stretches'])
    .where('farm_id', '=', device.farm_id)
    .where('meter_id', '=', meter.id)
    .where('day', '>=', new Date(from))
    .where('day', '<', new Date(to))
    .execute();
  // What a day rests on begins a day before it.
  const isLasting = (day: number) => day - BEFORE * DAY_MS < keptSince;
  const known = rows.filter(({ day, print }) => isLasting(day.getTime()) || print === printOf(day.getTime()));
  const isNow = (day: number, print: string) => print === printOf(day);
  const asked = known.every(({ day, print }) => isNow(day.getTime(), print)) ? [] : FORMERS;
  const formers = await Promise.all(asked.map((form) => printsOf(db, device, meter, { from, to }, form)));
  const isOther = (day: number, print: string) =>
    !isNow(day, print) && formers.every((printThen) => printThen(day) !== print);
  return {
    others: new Set(known.flatMap(({ day, print }) => (isOther(day.getTime(), print) ? day.getTime() : []))),
    stretches: new Map(known.map(({ day, stretches }) => [day.getTime(), numbersOf(stretches)])),
    printOf,
  };
}

/** A day that was reckoned now, from readings none of which lies further away than what its print is of. */
export interface NewlySettled {
  readonly day: number;
  readonly print: string;
  readonly stretches: StretchNumbers;
}

/** Of a few: to write a year's in one statement takes as long as others may wait in all. */
export async function keepSettled(
  db: Db,
  { farm_id }: Pick<DeviceRow, 'farm_id'>,
  meter: MeterRow,
  days: readonly NewlySettled[],
): Promise<void> {
  if (days.length === 0) return;
  await db
    .insertInto('take_meter_day')
    // A meter that was taken off its take meanwhile keeps none.
    .columns(['farm_id', 'meter_id', 'day', 'print', 'stretches'])
    .expression(
      sql`select m.farm_id, m.id, given.day, given.print, given.stretches from take_meter m
        cross join unnest(${days.map(({ day }) => new Date(day))}::timestamptz[], ${days.map(({ print }) => print)}::text[],
          ${days.map(({ stretches }) => bytesOf(stretches))}::bytea[]) as given (day, print, stretches)
        where m.farm_id = ${farm_id} and m.id = ${meter.id}`,
    )
    .onConflict((conflict) =>
      conflict.columns(['farm_id', 'meter_id', 'day']).doUpdateSet(({ ref }) => ({
        print: ref('excluded.print'),
        stretches: ref('excluded.stretches'),
      })),
    )
    .execute();
}

/** How prints are made. */
interface Form {
  /** Of how volumes are reckoned: of another one nothing is taken, while it can be reckoned anew. */
  readonly version: number;
  readonly hash: (text: string) => string;
  readonly hours: (text: RawBuilder<unknown>) => RawBuilder<unknown>;
}
const FORM: Form = {
  version: 4,
  hash: (text) => createHash('sha256').update(text).digest('base64'),
  hours: (text) => sql`encode(sha256(convert_to(${text}, 'UTF8')), 'base64')`,
};
/**
 * As they were made before. Days whose readings are gone can't be reckoned anew, so they keep their prints of then: by another form or
 * version alone they would say for ever that a setting was changed.
 */
const FORMERS: readonly Form[] = [
  { ...FORM, version: 3 },
  { ...FORM, version: 2 },
  {
    version: 2,
    hash: (text) => createHash('sha1').update(text).digest('base64'),
    hours: (text) => sql`md5(${text})`,
  },
];

/** What days rest on, as it is now. */
async function printsOf(db: Db, device: DeviceRow, meter: MeterRow, { from, to }: Range, form: Form) {
  const settings = settingsOf(device, meter, form.version);
  const span = { from: from - BEFORE * DAY_MS, to: to + AFTER * DAY_MS };
  const hours = await hoursByDay(db, device, meter, span, form);
  return (day: number): string => {
    const around = Array.from({ length: BEFORE + AFTER + 1 }, (_none, index) =>
      hours.get(day + (index - BEFORE) * DAY_MS),
    );
    return form.hash([settings, ...around.map((one) => one ?? '')].join('|'));
  };
}

/** All that says how its readings are read, and nothing else of its sensor: who renames a field unsettles nothing. */
const settingsOf = (
  device: DeviceRow,
  { metric, m3PerUnit, isByVolume }: MeterRow,
  version: number,
): string =>
  JSON.stringify([
    version,
    metric,
    m3PerUnit,
    isByVolume,
    wrapOf(device.mapping, metric),
    limitsOf(device, metric),
    // Of an analog meter where its zero lies.
    metric === 'flowLpm' ? [device.type, device.settings.offset ?? 0] : null,
  ]);

async function hoursByDay(
  db: Db,
  { farm_id, id }: DeviceRow,
  { metric }: MeterRow,
  { from, to }: Range,
  form: Form,
): Promise<Map<number, string>> {
  const text = sql`string_agg(concat_ws(' ', extract(epoch from h.at), h.n, h.min, h.max, h.sum, h.falls, h.rises,
    extract(epoch from h.first_at), extract(epoch from h.last_at)), ',' order by h.at)`;
  const { rows } = await sql<{ day: number; print: string }>`
    select floor(extract(epoch from h.at) / 86400)::int as day, ${form.hours(text)} as print
    from series s join reading_hour h on h.farm_id = s.farm_id and h.series_id = s.id
    where s.farm_id = ${farm_id} and s.device_id = ${id} and s.metric = ${metric}
      and h.at >= ${new Date(from)} and h.at < ${new Date(to)}
    group by 1`.execute(db);
  return new Map(rows.map(({ day, print }) => [day * DAY_MS, print]));
}

/** Of their own part of what may be more. */
const bytesOf = ({ buffer, byteOffset, byteLength }: StretchNumbers): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** In memory of their own. */
const numbersOf = ({ buffer, byteOffset, byteLength }: Buffer): StretchNumbers =>
  new Float64Array(new Uint8Array(buffer, byteOffset, byteLength).slice().buffer);
