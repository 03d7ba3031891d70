import type { TakeGap, TakeMeter } from '../../water-takes.ts';

const causes: Readonly<Record<TakeGap['cause'], string>> = {
  outage: 'the server did not listen to devices',
  counter: 'the counter began anew, jumped, was set back, or is another one’s',
  silent: 'nothing came from the meter',
  notInPlace: 'no meter was in place',
  notKept: 'readings of that time are no longer kept',
};

type Placed = Pick<TakeMeter, 'site' | 'measure'>;

/** Whether the meters of a take stand at several places, which are added up: not one after the other at the same. */
export const isOfPlaces = ([first, ...others]: readonly Placed[]): boolean =>
  others.some(({ site, measure }) => site !== first?.site || measure !== first.measure);

/** Why nothing is known of a time. Where a take has several places it may be one of them alone. */
export const gapCauseText = (cause: TakeGap['cause'], meters: readonly Placed[]): string =>
  cause === 'silent' && isOfPlaces(meters) ? 'nothing came from one meter or more' : causes[cause];
