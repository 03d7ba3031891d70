import { allPieces } from '@headrace/contract/rules/pieces';
import type { ReadingNumbers } from '@headrace/contract/rules/reading-numbers';
import {
  daysOfTake,
  type ReckonedVolumes,
  type TakeAccount,
} from '@headrace/contract/rules/water-take/account';
import { codedPlaces } from '@headrace/contract/rules/water-take/coded-places';
import type { StretchNumbers } from '@headrace/contract/rules/water-take/packed-stretches';
import { type MeterDays, volumesAtPlaces } from '@headrace/contract/rules/water-take/places';
import type { TakeMeter } from '@headrace/contract/water-takes';
import type { Made } from '../made.ts';
import { type PackedRows, packedRows, unpackedRows } from './packed-rows.ts';
import type { PackData, PackReadings } from './take-pack.ts';

/** A pack as a process is asked for it: it is reckoned there, from what comes in pages after it, when it asks for the next. */
export interface PackOrder extends Pick<PackData, 'take' | 'options'> {
  readonly kind: 'pack';
  readonly account: PackAccount;
  /** Of whom days come: they are reckoned from `from` on, epoch ms. */
  readonly reckoned: readonly Omit<MeterDays, 'days'>[];
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
  readonly days: readonly MeterDays['days'][];
  readonly said: readonly PackReadings[];
}

/** `meter`: by its number in the order, each after the one before it, and all days before the first reading. */
export type PackPage =
  | { readonly of: 'days'; readonly meter: number; readonly days: readonly StretchNumbers[] }
  | { readonly of: 'readings'; readonly meter: number; readonly numbers: ReadingNumbers };

const DAYS_A_PAGE = 100;

/** Readings are read when they are asked for. */
export async function* packPages({ days, said }: PackSource): AsyncGenerator<PackPage, void> {
  for (const [meter, ofMeter] of days.entries())
    for (let at = 0; at < ofMeter.length; at += DAYS_A_PAGE)
      yield { of: 'days', meter, days: ofMeter.slice(at, at + DAYS_A_PAGE) };
  for (const [meter, { pages }] of said.entries())
    for await (const numbers of pages) yield { of: 'readings', meter, numbers };
}

/** The pack of an order and of its pages, the readings as they come. `next`: null once there are no more. */
export async function packOfPages(order: PackOrder, next: () => Promise<PackPage | null>): Promise<PackData> {
  const days = order.reckoned.map((): StretchNumbers[] => []);
  let page = await next();
  for (; page?.of === 'days'; page = await next()) days[page.meter]?.push(...page.days);
  async function* readingsOf(meter: number) {
    for (; page?.of === 'readings' && page.meter === meter; page = await next()) yield page.numbers;
  }
  const { take, options, account, meters } = order;
  return {
    take,
    time: account.time,
    options,
    ...reckoned(order, days),
    said: meters.map((meter, nth) => ({ meter, pages: readingsOf(nth) })),
  };
}

/** Each table goes through the quarters anew: they wait as numbers, which take a third of the memory. */
function reckoned(
  { account: { volumes: known, ...account }, reckoned: meters, from, made: { at } }: PackOrder,
  days: PackSource['days'],
): Pick<PackData, 'days' | 'places'> {
  const ofMeters = meters.map((meter, nth) => ({ ...meter, days: days[nth] ?? [] }));
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
