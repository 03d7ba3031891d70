import type { Timezone } from '@headrace/contract/farms';
import { addDays, clockTime, dayStart } from '@headrace/contract/rules/farm-time';
import { minuteText } from '../../ui/format.ts';
import type { Span } from './view-search.ts';
import { weekday } from '../../ui/weekday.ts';

/** A time that is drawn from left to right. Epoch ms. */
export interface Axis {
  readonly from: number;
  readonly to: number;
}

/** From the start of a farm's day on; a day on which the clock changes is as long as it is. */
export function axisOf(zone: Timezone, at: number, span: Span): Axis {
  const from = dayStart(zone, at);
  return { from, to: addDays(zone, from, Number(span) / 24) };
}

/** How far from the left a moment lies, and how wide a time is, %. */
export function place({ from, to }: Axis, startAt: number, endAt: number): { left: string; width: string } {
  const share = (at: number) => (100 * (Math.min(Math.max(at, from), to) - from)) / (to - from);
  const left = share(startAt);
  return { left: `${left.toFixed(3)}%`, width: `${Math.max(0, share(endAt) - left).toFixed(3)}%` };
}

export const leftOf = (axis: Axis, at: number): string => place(axis, at, at).left;

export interface Tick {
  readonly at: number;
  readonly text: string;
  readonly isDay: boolean;
}

const hoursApart: Record<Span, number> = { '24': 3, '48': 6, '168': 24 };

/** The hours of a farm's clock, and its days by name. */
export function ticksOf(zone: Timezone, { from, to }: Axis, span: Span): Tick[] {
  const ticks: Tick[] = [];
  for (let day = from; day < to; day = addDays(zone, day, 1))
    for (let hour = 0; hour < 24; hour += hoursApart[span]) {
      const at = clockTime(zone, day, hour * 3600);
      const isDay = hour === 0;
      ticks.push({ at, isDay, text: isDay ? weekday(at, zone) : minuteText(at, zone) });
    }
  return ticks;
}
