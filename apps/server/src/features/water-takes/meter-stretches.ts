import { wrapOf } from '@headrace/device/field-mapping';
import { NUMBERS_A_READING, type ReadingNumbers } from '@headrace/contract/rules/reading-numbers';
import { DAY_MS, utcDay } from '@headrace/contract/rules/water-take/clock';
import type { MeterReader } from '@headrace/contract/rules/water-take/meter-days';
import type { StretchNumbers } from '@headrace/contract/rules/water-take/packed-stretches';
import type { MeterDays } from '@headrace/contract/rules/water-take/places';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { zeroOf } from '../flow/meter.ts';
import type { Range } from '../series/rollup-query.ts';
import type { Reckoner } from './reckoner.ts';
import { keepSettled, type Kept, type NewlySettled, readSettled } from './settled-days.ts';
import { takeReadingPages } from './take-readings.ts';
import type { MeterRow } from './takes.repo.ts';

/** When a meter spoke, of what was read of it, epoch ms: of days that are settled nothing is. Null: it didn't. */
export interface Heard {
  readonly first: number | null;
  /** Until now: a clock that is ahead counts for nothing. */
  readonly last: number | null;
}

export interface MeterVolumes extends Pick<MeterDays, 'span' | 'days'> {
  readonly heard: Heard;
  /** Days of UTC (their starts) that were reckoned with other settings than those of now, and can't be anew. */
  readonly others: ReadonlySet<number>;
}

/** What readings there are, and who reckons with them. */
export interface Reckoning extends Kept {
  readonly reckon: Reckoner['reckon'];
}

/**
 * So many days are reckoned at a time: of a year each step by itself, to put its readings in order and to look for doubted ones, held
 * everybody else up for longer than a call may wait, and so did the collection of all that lived meanwhile (decision 352).
 */
const DAYS_AT_ONCE = 40;

/**
 * What went through a meter in a range (epoch ms), by days: those that are settled as they were reckoned once, the others from its
 * readings, and those of them that nothing but a late reading can change are settled now.
 */
export async function meterVolumes(
  db: Db,
  device: DeviceRow,
  meter: MeterRow,
  range: Range,
  reckoning: Reckoning,
): Promise<MeterVolumes> {
  const from = utcDay(Math.max(range.from, meter.startsAt.getTime()));
  const end = Math.min(range.to, meter.endsAt?.getTime() ?? Infinity, reckoning.now.getTime());
  if (end <= from) return { ...NOTHING, others: new Set() };
  const to = utcDay(end - 1) + DAY_MS;
  const days: StretchNumbers[] = [];
  const others = new Set<number>();
  let heard = UNHEARD;
  for (let at = from; at < to; at += DAYS_AT_ONCE * DAY_MS) {
    const some = { from: at, to: Math.min(to, at + DAYS_AT_ONCE * DAY_MS) };
    const found = await volumesOfDays(db, device, meter, some, reckoning);
    for (const day of found.days) days.push(day);
    for (const day of found.others) others.add(day);
    heard = { first: heard.first ?? found.heard.first, last: found.heard.last ?? heard.last };
  }
  return { span: { from, to }, days, heard, others };
}

/** The same of a few whole days. */
async function volumesOfDays(
  db: Db,
  device: DeviceRow,
  meter: MeterRow,
  { from, to }: Range,
  { reckon, ...kept }: Reckoning,
): Promise<Omit<MeterVolumes, 'span'>> {
  const { now } = kept;
  const settled = await readSettled(db, device, meter, { from, to }, kept);
  const days = Array.from({ length: (to - from) / DAY_MS }, (_none, index) => from + index * DAY_MS);
  const byDay = new Map(settled.stretches);
  let heard = UNHEARD;
  const fresh: NewlySettled[] = [];
  for (const run of runsOf(days.filter((day) => !byDay.has(day)))) {
    const range = { from: run.from, to: Math.min(run.to, now.getTime()) };
    const pages: ReadingNumbers[] = [];
    for await (const page of takeReadingPages(db, device, meter.metric, range)) pages.push(page);
    heard = heardAlso(heard, pages, now.getTime());
    for (const { day, stretches, isSettled } of await reckon({
      ...run,
      pages,
      meter: readerOf(device, meter),
    })) {
      byDay.set(day, stretches);
      const print = settled.printOf(day);
      if (print !== null && isSettled) fresh.push({ day, print, stretches });
    }
  }
  await keepSettled(db, device, meter, fresh);
  return {
    days: days.flatMap((day) => byDay.get(day) ?? []),
    heard,
    others: settled.others,
  };
}

export const UNHEARD: Heard = { first: null, last: null };
/** Of a meter that wasn't there. */
export const NOTHING = { span: { from: 0, to: 0 }, days: [], heard: UNHEARD } as const;

/** With a run of readings after those before. */
function heardAlso({ first, last }: Heard, pages: readonly ReadingNumbers[], now: number): Heard {
  for (const page of pages)
    for (let nth = 0; nth < page.length; nth += NUMBERS_A_READING) {
      const at = page[nth] ?? NaN;
      first ??= at;
      if (at <= now) last = at;
    }
  return { first, last };
}

/** Days that follow each other. */
function runsOf(days: readonly number[]): Range[] {
  const runs: { from: number; to: number }[] = [];
  for (const day of days) {
    const last = runs.at(-1);
    if (last?.to === day) last.to = day + DAY_MS;
    else runs.push({ from: day, to: day + DAY_MS });
  }
  return runs;
}

const readerOf = (device: DeviceRow, { metric, m3PerUnit, isByVolume }: MeterRow): MeterReader => ({
  metric,
  m3PerUnit,
  isByVolume,
  wrapAt: wrapOf(device.mapping, metric),
  zeroLpm: zeroOf(device),
});
