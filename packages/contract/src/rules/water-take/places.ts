import { eachPiece } from '../pieces.ts';
import { QUARTER_MS, quarterStart } from './clock.ts';
import { joinedParts } from './day-parts.ts';
import { type StretchNumbers, unpackedStretches } from './packed-stretches.ts';
import { addedRows, type InPlace, placeVolumes, quarterRows, type TakeRow } from './rows.ts';
import type { VolumeStretch } from './volume.ts';

/** A meter, as far as what went through a place is reckoned by it. */
export interface MeterAtPlace {
  readonly id: number;
  readonly site: string;
  readonly measure: string;
  readonly startsAt: Date;
  readonly endsAt: Date | null;
}

/** What went through the meters at one place of a take. */
export interface PlaceVolumes {
  readonly site: string;
  readonly measure: string;
  readonly meters: readonly MeterAtPlace[];
  readonly stretches: readonly VolumeStretch[];
  readonly rows: readonly TakeRow[];
}

/** What went through a meter: the parts of its stretches by day of UTC, from the start of one to the end of another, epoch ms. */
export interface MeterDays {
  readonly meter: MeterAtPlace;
  readonly span: Span;
  readonly days: readonly StretchNumbers[];
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** A take's places with their quarters of a range of whole ones (epoch ms), and the quarters of all places together. */
export function* volumesAtPlaces(
  meters: readonly MeterDays[],
  range: Span,
): Generator<undefined, { places: readonly PlaceVolumes[]; rows: readonly TakeRow[] }> {
  const places: PlaceVolumes[] = [];
  for (const ofPlace of byPlace(meters)) places.push(yield* volumesAt(ofPlace, range));
  let rows: readonly TakeRow[] = places[0]?.rows ?? [];
  for (const place of places.slice(1)) rows = yield* eachPiece(addedRows(rows, place.rows));
  return { places, rows };
}

function* volumesAt(meters: readonly MeterDays[], range: Span): Generator<undefined, PlaceVolumes> {
  const own = meters.map(({ meter }) => meter);
  const { from, to } = timeOf(own, range);
  const inPlace: InPlace[] = [];
  for (const one of meters)
    inPlace.push({
      from: one.meter.startsAt.getTime(),
      to: one.meter.endsAt?.getTime() ?? Infinity,
      stretches: yield* stretchesOf(one),
    });
  const stretches = yield* eachPiece(placeVolumes(inPlace, from, to));
  const rows = yield* eachPiece(quarterRows(stretches, from, to));
  const { site = '', measure = '' } = own[0] ?? {};
  return { site, measure, meters: own, stretches, rows };
}

/** One after the other, cut where a day of UTC ends; of gaps alone each is one. */
function* stretchesOf({ days, span }: MeterDays): Generator<undefined, VolumeStretch[]> {
  const parts: VolumeStretch[] = [];
  for (const day of days) {
    for (const part of unpackedStretches(day)) parts.push(part);
    yield;
  }
  return joinedParts(parts, span);
}

/** Meters of one place follow each other. */
function byPlace(meters: readonly MeterDays[]): MeterDays[][] {
  const places = new Map<string, MeterDays[]>();
  for (const one of meters) {
    const key = JSON.stringify([one.meter.site, one.meter.measure]);
    places.set(key, [...(places.get(key) ?? []), one]);
  }
  return [...places.values()];
}

/** Since its first meter was built in until the last was taken out, in whole quarters. */
function timeOf(meters: readonly MeterAtPlace[], { from, to }: Span): Span {
  const first = Math.min(...meters.map(({ startsAt }) => startsAt.getTime()));
  const last = Math.max(...meters.map(({ endsAt }) => endsAt?.getTime() ?? Infinity));
  return {
    from: Math.max(from, quarterStart(first)),
    to: Math.min(to, Number.isFinite(last) ? quarterStart(last - 1) + QUARTER_MS : Infinity),
  };
}
