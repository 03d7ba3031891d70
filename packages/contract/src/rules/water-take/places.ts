import { eachPiece } from '../pieces.ts';
import { QUARTER_MS, quarterStart } from './clock.ts';
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

/** A meter and what went through it, one stretch after the other. */
export interface MeterVolumes {
  readonly meter: MeterAtPlace;
  readonly stretches: readonly VolumeStretch[];
}

/** A take's places with their quarters of a range of whole ones (epoch ms), and the quarters of all places together. */
export function* volumesAtPlaces(
  meters: readonly MeterVolumes[],
  range: { readonly from: number; readonly to: number },
): Generator<undefined, { places: readonly PlaceVolumes[]; rows: readonly TakeRow[] }> {
  const places: PlaceVolumes[] = [];
  for (const ofPlace of byPlace(meters)) places.push(yield* volumesAt(ofPlace, range));
  let rows: readonly TakeRow[] = places[0]?.rows ?? [];
  for (const place of places.slice(1)) rows = yield* eachPiece(addedRows(rows, place.rows));
  return { places, rows };
}

function* volumesAt(
  meters: readonly MeterVolumes[],
  range: { readonly from: number; readonly to: number },
): Generator<undefined, PlaceVolumes> {
  const own = meters.map(({ meter }) => meter);
  const { from, to } = timeOf(own, range);
  const inPlace = meters.map(
    ({ meter, stretches }): InPlace => ({
      from: meter.startsAt.getTime(),
      to: meter.endsAt?.getTime() ?? Infinity,
      stretches,
    }),
  );
  const stretches = yield* eachPiece(placeVolumes(inPlace, from, to));
  const rows = yield* eachPiece(quarterRows(stretches, from, to));
  const { site = '', measure = '' } = own[0] ?? {};
  return { site, measure, meters: own, stretches, rows };
}

/** Meters of one place follow each other. */
function byPlace(meters: readonly MeterVolumes[]): MeterVolumes[][] {
  const places = new Map<string, MeterVolumes[]>();
  for (const one of meters) {
    const key = JSON.stringify([one.meter.site, one.meter.measure]);
    places.set(key, [...(places.get(key) ?? []), one]);
  }
  return [...places.values()];
}

/** Since its first meter was built in until the last was taken out, in whole quarters. */
function timeOf(
  meters: readonly MeterAtPlace[],
  { from, to }: { readonly from: number; readonly to: number },
): { from: number; to: number } {
  const first = Math.min(...meters.map(({ startsAt }) => startsAt.getTime()));
  const last = Math.max(...meters.map(({ endsAt }) => endsAt?.getTime() ?? Infinity));
  return {
    from: Math.max(from, quarterStart(first)),
    to: Math.min(to, Number.isFinite(last) ? quarterStart(last - 1) + QUARTER_MS : Infinity),
  };
}
