import { wrapOf } from '@headrace/device/field-mapping';
import {
  amountVolumes,
  counterVolumes,
  flowVolumes,
} from '@headrace/contract/rules/water-take/meter-volumes';
import { DAY_MS, utcDay } from '@headrace/contract/rules/water-take/clock';
import { packedStretches, type StretchNumbers } from '@headrace/contract/rules/water-take/packed-stretches';
import type { MeterDays } from '@headrace/contract/rules/water-take/places';
import { dayPart } from '@headrace/contract/rules/water-take/day-parts';
import type { MeterReading, VolumeStretch } from '@headrace/contract/rules/water-take/volume';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { measuredFlow } from '../flow/meter.ts';
import type { Range } from '../series/rollup-query.ts';
import { inTurns, mapInTurns } from '../../jobs/in-turns.ts';
import { isSettled, keepSettled, type Kept, type NewlySettled, readSettled } from './settled-days.ts';
import { takeReadings } from './take-readings.ts';
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
  kept: Kept,
): Promise<MeterVolumes> {
  const from = utcDay(Math.max(range.from, meter.startsAt.getTime()));
  const end = Math.min(range.to, meter.endsAt?.getTime() ?? Infinity, kept.now.getTime());
  if (end <= from) return { ...NOTHING, others: new Set() };
  const to = utcDay(end - 1) + DAY_MS;
  const days: StretchNumbers[] = [];
  const others = new Set<number>();
  let heard = UNHEARD;
  for (let at = from; at < to; at += DAYS_AT_ONCE * DAY_MS) {
    const some = { from: at, to: Math.min(to, at + DAYS_AT_ONCE * DAY_MS) };
    const found = await volumesOfDays(db, device, meter, some, kept);
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
  kept: Kept,
): Promise<Omit<MeterVolumes, 'span'>> {
  const { now } = kept;
  const settled = await readSettled(db, device, meter, { from, to }, kept);
  const days = Array.from({ length: (to - from) / DAY_MS }, (_none, index) => from + index * DAY_MS);
  const byDay = new Map(settled.stretches);
  let heard = UNHEARD;
  const fresh: NewlySettled[] = [];
  for (const run of runsOf(days.filter((day) => !byDay.has(day)))) {
    const ofRun = await takeReadings(db, device, meter.metric, {
      from: run.from,
      to: Math.min(run.to, now.getTime()),
    });
    heard = heardAlso(heard, ofRun, now.getTime());
    const found = await inTurns(volumesOf(meter, device, ofRun));
    await mapInTurns([...byDays(found, run)], ([day, of]) => {
      const stretches = packedStretches(of.flatMap((one) => dayPart(one, day, day + DAY_MS) ?? []));
      byDay.set(day, stretches);
      const print = settled.printOf(day);
      if (print !== null && isSettled(of, day)) fresh.push({ day, print, stretches });
    });
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
const heardAlso = ({ first, last }: Heard, run: readonly MeterReading[], now: number): Heard => ({
  first: first ?? run[0]?.at ?? null,
  last: run.findLast(({ at }) => at <= now)?.at ?? last,
});

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

/** The stretches that touch each day of a range, whole. */
function byDays(stretches: readonly VolumeStretch[], { from, to }: Range): Map<number, VolumeStretch[]> {
  const found = new Map<number, VolumeStretch[]>();
  for (const stretch of stretches) {
    const last = Math.min(to, stretch.to);
    for (let day = utcDay(Math.max(from, stretch.from)); day < last; day += DAY_MS) {
      const own = found.get(day);
      if (own) own.push(stretch);
      else found.set(day, [stretch]);
    }
  }
  return found;
}

function volumesOf(
  { metric, m3PerUnit, isByVolume }: MeterRow,
  device: DeviceRow,
  readings: readonly MeterReading[],
): Iterable<VolumeStretch> {
  if (metric === 'flowLpm')
    return flowVolumes(readings.map(({ at, value }) => ({ at, value: measuredFlow(device, value) })));
  if (metric === 'pulses' || metric === 'volumeL') return amountVolumes(readings, m3PerUnit);
  return counterVolumes(readings, { m3PerUnit, isByVolume, wrapAt: wrapOf(device.mapping, metric) });
}
