import { standardTime } from '@headrace/contract/rules/water-take/clock';
import { dayText, type Made } from '../made.ts';

/** Moments of a take (epoch ms) as its files have them, by its standard time: "22/11/2026 00:45". */
export interface TakeStamps {
  readonly start: (at: number) => string;
  /** A midnight is the 24:00 of the day that ends, and the last millisecond of a minute its end. */
  readonly end: (at: number) => string;
}

const MINUTE = 60_000;

export function takeStamps(zone: Made['zone']): TakeStamps {
  const { offsetMs } = standardTime(zone);
  const text = (at: number) => {
    const iso = new Date(at + offsetMs).toISOString();
    return [dayText(iso.slice(0, 10)), iso.slice(11, 16)] as const;
  };
  const end = (at: number) => {
    const [day, clock] = text(Math.ceil(at / MINUTE) * MINUTE);
    return clock === '00:00' ? `${text(at - MINUTE)[0]} 24:00` : `${day} ${clock}`;
  };
  return { start: (at) => text(at).join(' '), end };
}
