import { allPieces } from '@headrace/contract/rules/pieces';
import type { ReadingNumbers } from '@headrace/contract/rules/reading-numbers';
import {
  daysOfTake,
  type ReckonedVolumes,
  type TakeAccount,
} from '@headrace/contract/rules/water-take/account';
import { codedPlaces } from '@headrace/contract/rules/water-take/coded-places';
import {
  packedStretches,
  type StretchNumbers,
  unpackedStretches,
} from '@headrace/contract/rules/water-take/packed-stretches';
import { type MeterAtPlace, volumesAtPlaces } from '@headrace/contract/rules/water-take/places';
import type { VolumeStretch } from '@headrace/contract/rules/water-take/volume';
import type { TakeMeter } from '@headrace/contract/water-takes';
import type { Made } from '../made.ts';
import { type PackedRows, packedRows, unpackedRows } from './packed-rows.ts';
import type { PackData, PackReadings } from './take-pack.ts';

/** A pack as a thread is asked for it: it is reckoned there, from what comes in pages after it, when the thread asks for the next. */
export interface PackOrder extends Pick<PackData, 'take' | 'options'> {
  readonly kind: 'pack';
  readonly account: PackAccount;
  /** Whose stretches come: they are volumes from `from` on, epoch ms. */
  readonly reckoned: readonly MeterAtPlace[];
  readonly from: number;
  /** Whose readings come. */
  readonly meters: readonly TakeMeter[];
  readonly made: Made;
  /** What was asked for, as manifest.json says it. */
  readonly asked: object;
}

/** What a take's quarters are judged by. */
export interface PackAccount extends Omit<TakeAccount, 'volumes'> {
  readonly volumes: Omit<ReckonedVolumes, 'places' | 'rows'>;
}

/** What a pack's pages are made of, meter by meter in the order of `PackOrder`. */
export interface PackSource {
  readonly stretches: readonly (readonly VolumeStretch[])[];
  readonly said: readonly PackReadings[];
}

/** `meter`: by its number in the order, each after the one before it, and all stretches before the first reading. */
export type PackPage =
  | {
      readonly of: 'stretches';
      readonly meter: number;
      readonly numbers: StretchNumbers;
      /** Of each that is a part of a gap: its number in the page, and the gap's from, to and m³. */
      readonly parts: Float64Array<ArrayBuffer>;
    }
  | { readonly of: 'readings'; readonly meter: number; readonly numbers: ReadingNumbers };
type StretchPage = Extract<PackPage, { of: 'stretches' }>;

/** A millisecond or two to write as numbers. */
const STRETCHES_A_PAGE = 4000;

/** Readings are read when they are asked for. */
export async function* packPages({ stretches, said }: PackSource): AsyncGenerator<PackPage, void> {
  for (const [meter, ofMeter] of stretches.entries())
    for (let at = 0; at < ofMeter.length; at += STRETCHES_A_PAGE)
      yield { of: 'stretches', meter, ...stretchPage(ofMeter.slice(at, at + STRETCHES_A_PAGE)) };
  for (const [meter, { pages }] of said.entries())
    for await (const numbers of pages) yield { of: 'readings', meter, numbers };
}

const stretchPage = (stretches: readonly VolumeStretch[]): Pick<StretchPage, 'numbers' | 'parts'> => ({
  numbers: packedStretches(stretches),
  parts: Float64Array.from(
    stretches.flatMap(({ partOfGap: gap }, nth) => (gap ? [nth, gap.from, gap.to, gap.m3] : [])),
  ),
});

const NUMBERS_A_PART = 4;

function stretchesOf({ numbers, parts }: StretchPage): VolumeStretch[] {
  const stretches = unpackedStretches(numbers);
  for (let at = 0; at < parts.length; at += NUMBERS_A_PART) {
    const [nth = NaN, from = NaN, to = NaN, m3 = NaN] = parts.subarray(at, at + NUMBERS_A_PART);
    const part = stretches[nth];
    if (part) stretches[nth] = { ...part, partOfGap: { from, to, m3 } };
  }
  return stretches;
}

/** What of a page can be handed over without a copy. */
export const buffersOf = (page: PackPage): ArrayBuffer[] =>
  page.of === 'stretches' ? [page.numbers.buffer, page.parts.buffer] : [page.numbers.buffer];

/** The pack of an order and of its pages, the readings as they come. `next`: null once there are no more. */
export async function packOfPages(order: PackOrder, next: () => Promise<PackPage | null>): Promise<PackData> {
  const stretches = order.reckoned.map((): VolumeStretch[] => []);
  let page = await next();
  for (; page?.of === 'stretches'; page = await next())
    for (const stretch of stretchesOf(page)) stretches[page.meter]?.push(stretch);
  async function* readingsOf(meter: number) {
    for (; page?.of === 'readings' && page.meter === meter; page = await next()) yield page.numbers;
  }
  const { take, options, account, meters } = order;
  return {
    take,
    time: account.time,
    options,
    ...reckoned(order, stretches),
    said: meters.map((meter, nth) => ({ meter, pages: readingsOf(nth) })),
  };
}

/** Each table goes through the quarters anew: they wait as numbers, which take a third of the memory. */
function reckoned(
  { account: { volumes: known, ...account }, reckoned: meters, from, made: { at } }: PackOrder,
  stretches: readonly (readonly VolumeStretch[])[],
): Pick<PackData, 'days' | 'places'> {
  const ofMeters = meters.map((meter, nth) => ({ meter, stretches: stretches[nth] ?? [] }));
  const found = allPieces(volumesAtPlaces(ofMeters, { from, to: Math.max(known.until, from) }));
  const { take, range } = account;
  return {
    days: allPieces(daysOfTake({ ...account, volumes: { ...known, ...found } }, at, Infinity)),
    places: codedPlaces(found.places, take, range).map(({ rows, ...place }) => {
      const pages: PackedRows[] = [...packedRows(rows)];
      return { ...place, rows: unpackedRows(pages) };
    }),
  };
}
