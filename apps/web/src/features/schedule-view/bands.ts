import type { Timezone } from '@headrace/contract/farms';
import { addDays, clockTime } from '@headrace/contract/rules/farm-time';
import { nightsOf } from '@headrace/contract/rules/nights';
import { clockText } from '@headrace/contract/rules/schedule/clock-text';
import type { FarmSupply, SupplyTime } from '@headrace/contract/supply';
import type { Axis } from './axis.ts';

/** A time of the timeline that something is said of. Epoch ms. */
export interface Band {
  readonly from: number;
  readonly to: number;
  readonly kind: 'window' | 'avoid' | 'night';
  readonly text: string;
}

const labels = { window: 'Time for water', avoid: 'Avoid' } as const;

/** From sunset to sunrise, where the farm is. */
export const nightBands = (farm: { lat: number; lng: number }, { from, to }: Axis): Band[] =>
  nightsOf(farm, from, to).map((night) => ({ ...night, kind: 'night', text: 'Night' }));

/** The times of the water supply on the days of an axis, oldest first. */
export function bandsOf(zone: Timezone, axis: Axis, supply: Pick<FarmSupply, 'windows' | 'avoid'>): Band[] {
  const bands: Band[] = [];
  // One that goes over midnight may have begun the day before.
  for (let day = addDays(zone, axis.from, -1); day < axis.to; day = addDays(zone, day, 1)) {
    for (const time of supply.windows) bands.push(bandOn(zone, day, time, 'window'));
    for (const time of supply.avoid) bands.push(bandOn(zone, day, time, 'avoid'));
  }
  return bands
    .filter(({ from, to }) => to > axis.from && from < axis.to)
    .toSorted((one, other) => one.from - other.from);
}

function bandOn(zone: Timezone, day: number, time: SupplyTime, kind: 'window' | 'avoid'): Band {
  const { fromMin, toMin, why } = time;
  const last = toMin > fromMin ? day : addDays(zone, day, 1);
  return {
    from: clockTime(zone, day, fromMin * 60),
    to: clockTime(zone, last, toMin * 60),
    kind,
    text: `${labels[kind]}${why.trim() === '' ? '' : `: ${why.trim()}`} ${clockText(fromMin)}–${clockText(toMin)}`,
  };
}
