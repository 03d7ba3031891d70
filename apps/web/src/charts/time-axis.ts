import type { Timezone } from '@headrace/contract/farms';
import {
  addDays,
  dayStart,
  farmOffsetSeconds,
  hourOfDay,
  hourStart,
} from '@headrace/contract/rules/farm-time';

export interface Tick {
  at: number;
  text: string;
}

const HOUR = 3_600_000;
const DAY = 86_400_000;
const HOUR_STEPS = [1, 2, 3, 6, 12];
const DAY_STEPS = [1, 2, 5, 10];
const MONTH_STEPS = [1, 2, 3, 6, 12];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The farm's calendar at a moment. */
export function farmDate(zone: Timezone, at: number) {
  const local = new Date(at + farmOffsetSeconds(zone, at) * 1000);
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth(),
    date: local.getUTCDate(),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
  };
}

const two = (n: number) => String(n).padStart(2, '0');

/** "21 Nov" on the farm's calendar: no one takes it for the month first. */
export function shortDay(zone: Timezone, at: number): string {
  const { date, month } = farmDate(zone, at);
  return `${date} ${MONTHS[month]}`;
}

/** "21 Nov 18:00"; the day alone where a point stands for a day. */
export function pointTime(zone: Timezone, at: number, isDaily: boolean): string {
  const { hour, minute, year } = farmDate(zone, at);
  return isDaily ? `${shortDay(zone, at)} ${year}` : `${shortDay(zone, at)} ${two(hour)}:${two(minute)}`;
}

/**
 * Where a time axis is labelled, on the farm's clock and calendar: whole hours, days or months, as many as fit.
 * Days of 23 or 25 hours keep their midnights. `from` and `to` in epoch ms.
 */
export function timeTicks(zone: Timezone, from: number, to: number, most: number): Tick[] {
  const span = Math.max(to - from, 1);
  const hours = HOUR_STEPS.find((step) => span / (step * HOUR) <= most);
  if (hours !== undefined) return hourTicks(zone, from, to, hours);
  const days = DAY_STEPS.find((step) => span / (step * DAY) <= most);
  if (days !== undefined) return dayTicks(zone, from, to, days);
  const months = MONTH_STEPS.find((step) => span / (step * 30.44 * DAY) <= most) ?? 12;
  return monthTicks(zone, from, to, months);
}

function hourTicks(zone: Timezone, from: number, to: number, step: number): Tick[] {
  const ticks: Tick[] = [];
  const first = hourStart(zone, from);
  for (let at = first < from ? nextHour(zone, first) : first; at <= to; at = nextHour(zone, at)) {
    const hour = hourOfDay(zone, at);
    // The hour that the clock repeats in autumn is labelled once.
    if (hour % step !== 0 || (step > 1 && ticks.at(-1)?.text === `${two(hour)}:00`)) continue;
    ticks.push({ at, text: hour === 0 ? shortDay(zone, at) : `${two(hour)}:00` });
  }
  return ticks;
}

/** The farm's next whole hour, also where the clock goes back by half an hour (Lord Howe) and the hour's name comes before it. */
function nextHour(zone: Timezone, at: number): number {
  const next = hourStart(zone, at + HOUR);
  return next > at && hourStart(zone, next) === next ? next : next + HOUR;
}

function dayTicks(zone: Timezone, from: number, to: number, step: number): Tick[] {
  const ticks: Tick[] = [];
  let at = dayStart(zone, from);
  for (let nth = 0; at <= to; nth++) {
    if (at >= from && nth % step === 0) ticks.push({ at, text: shortDay(zone, at) });
    at = addDays(zone, at, 1);
  }
  return ticks;
}

function monthTicks(zone: Timezone, from: number, to: number, step: number): Tick[] {
  const ticks: Tick[] = [];
  let at = dayStart(zone, from);
  for (; at <= to; at = addDays(zone, at, 1)) {
    const { date, month, year } = farmDate(zone, at);
    if (date !== 1 || at < from || month % step !== 0) continue;
    ticks.push({ at, text: month === 0 ? `Jan ${year}` : (MONTHS[month] ?? '') });
  }
  return ticks;
}
