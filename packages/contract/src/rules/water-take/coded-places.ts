import type { TakeAccount } from './account.ts';
import type { PlaceVolumes } from './places.ts';
import { checksOf, codedRows, type RegisterCheck } from './register.ts';
import { rowsIn, type TakeRow } from './rows.ts';

/** A quarter with its quality code. */
export type CodedRow = TakeRow & { readonly code: number };

/** A place's quarters with their quality codes. */
export interface CodedPlace {
  readonly site: string;
  readonly measure: string;
  /** Each table goes through them anew. */
  readonly rows: Iterable<CodedRow>;
}

type ReadTake = Pick<TakeAccount['take'], 'readings'>;

/** What is asked for of a take, place by place: quarters are coded as they are gone through. */
export const codedPlaces = (
  places: readonly PlaceVolumes[],
  take: ReadTake,
  range: TakeAccount['range'],
): CodedPlace[] =>
  places.map((place) => {
    const { site, measure } = place;
    const rows = rowsIn(place.rows, range);
    const checks = checksAt(place, take);
    return { site, measure, rows: { [Symbol.iterator]: () => codedRows(rows, checks) } };
  });

/** Comparisons of the registers of a place's meters, within what was read of it. */
const checksAt = ({ meters, stretches }: PlaceVolumes, take: ReadTake): RegisterCheck[] =>
  meters.flatMap((meter) => checksOf(registerOf(take, meter), stretches));

/** What people read off a meter. */
export const registerOf = ({ readings }: ReadTake, { id }: { readonly id: number }) =>
  readings
    .filter(({ meterId }) => meterId === id)
    .map(({ at, register }) => ({ at: at.getTime(), m3: register }));
