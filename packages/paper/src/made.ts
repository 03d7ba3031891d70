import type { Timezone } from '@headrace/contract/farms';
import { APP_VERSION } from '@headrace/contract/limits';
import { farmOffsetSeconds } from '@headrace/contract/rules/farm-time';
import { zoneName } from '@headrace/contract/rules/zone-name';
import type { Paper } from './paper.ts';

/** Who makes a report of which farm, and when (epoch ms). */
export interface Made {
  readonly farm: string;
  readonly zone: Timezone;
  readonly by: string;
  readonly at: number;
}

/** A report, and its table as a file from the same rows. */
export interface Report {
  readonly paper: Paper;
  readonly csv: string;
}

/** What isn't known, or never was. */
export const DASH = '–';

/** "22/11/2026 05:41" on the farm's clock; a dash where there is no such time, or nothing was ever heard. `at` in epoch ms. */
export function stamp(at: number | null, zone: Timezone): string {
  if (at === null || !(at > 0) || !Number.isFinite(at)) return DASH;
  const iso = new Date(at + farmOffsetSeconds(zone, at) * 1000).toISOString();
  return `${dayText(iso.slice(0, 10))} ${iso.slice(11, 16)}`;
}

/** The same with the clock that it is by: "22/11/2026 05:41 NZDT". */
export const stampInZone = (at: number, zone: Timezone): string => `${stamp(at, zone)} ${zoneName(zone, at)}`;

/** 22/11/2026 of 2026-11-22. */
export const dayText = (day: string): string => day.split('-').toReversed().join('/');

/** The frame that all reports share. */
export const paperOf = (
  { farm, zone, by, at }: Made,
  { title, period = stampInZone(at, zone), parts }: Pick<Paper, 'title' | 'parts'> & { period?: string },
): Paper => ({
  title,
  farm,
  period,
  foot: `Made ${stampInZone(at, zone)} by ${by} · Headrace ${APP_VERSION}`,
  madeAt: at,
  parts,
});
