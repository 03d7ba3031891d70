import { cycleDayOf as dayOfCycle } from '@headrace/device/watering-start';
import type { Timezone } from '../../farms.ts';
import { farmOffsetSeconds } from '../farm-time.ts';

const DAY = 86_400_000;

/** The farm's day at a moment (epoch ms), as its number since 1970-01-01. */
export const farmDayOf = (zone: Timezone, at: number): number =>
  Math.floor((at + farmOffsetSeconds(zone, at) * 1000) / DAY);

/** Which day of a cycle of so many days the farm's day at a moment (epoch ms) is, from 1. All units count alike. */
export const cycleDayOf = (zone: Timezone, at: number, cycleDays: number): number =>
  dayOfCycle(farmDayOf(zone, at), cycleDays);

/** A unit's clock may be off by as much around midnight. */
const NEAR_MIDNIGHT = 10 * 60_000;

/** Whether a unit said another day of its cycle than it was when it said so (epoch ms): it waters on other days than its neighbours. */
export const isDayOut = (
  zone: Timezone,
  said: { readonly day: number; readonly at: number } | null,
  cycleDays: number,
): boolean =>
  said !== null &&
  cycleDays > 1 &&
  [0, -NEAR_MIDNIGHT, NEAR_MIDNIGHT].every((by) => said.day !== cycleDayOf(zone, said.at + by, cycleDays));
