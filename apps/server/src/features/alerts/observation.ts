import type { Seen } from '@headrace/contract/rules/alerts/alert-life';
import type { AlertFacts } from '@headrace/contract/rules/alerts/alert-texts';
import type { Selectable } from 'kysely';
import type { AlertTables } from '../../db/schema/alerts.ts';

export type RuleRow = Selectable<AlertTables['alert_rule']>;

/** What an alert says, before it is stored. */
export type TriedRule = Pick<
  RuleRow,
  'kind' | 'condition' | 'value' | 'clear_value' | 'hold_min' | 'class' | 'device_ids' | 'watch'
>;

/** What is so with one device, or a part of it, for one alert. */
export interface Observation {
  readonly deviceId: number;
  /** Which of its inputs or errors; 0: the device. */
  readonly part: number;
  readonly facts: AlertFacts;
  /** In the order of time; the last is what is so now. */
  readonly seen: readonly Seen[];
  /** So long it stays over before that is told, at least, ms. */
  readonly clearMs?: number;
  /** How it is over, where that isn't that it is no longer so: a sentence, and whether people are told it. */
  readonly over?: { readonly text: string; readonly isNotified: boolean };
  /** Its alert doesn't watch it: it takes what that watches with it. One alert tells of it. */
  readonly isCause?: true;
}

/** The devices that a rule names, as a set: made once for each row that was read. */
const chosen = new WeakMap<readonly number[], ReadonlySet<number>>();

export function watchesDevice({ device_ids }: Pick<RuleRow, 'device_ids'>, deviceId: number): boolean {
  if (device_ids.length === 0) return true;
  const known = chosen.get(device_ids) ?? new Set(device_ids);
  chosen.set(device_ids, known);
  return known.has(deviceId);
}

/** What stands for the farm as a whole where a device would. */
export const FARM = 0;

/** The part of a sprinkler that is its schedule error. */
export const SCHEDULE_PART = 3;

/** Of one water take so many things can be told on a day, and so many days are told apart. */
const OF_A_TAKE = 8;
const TAKE_DAYS_APART = 16;

/** The part of the farm that is one of its water takes on a day (the start of it, epoch ms); 0: what isn't of a day. */
export const takePart = (takeId: number, which: number, day: number): number =>
  (takeId * OF_A_TAKE + which) * TAKE_DAYS_APART + (Math.floor(day / 86_400_000) % TAKE_DAYS_APART);

/** The part of the farm that is a day, YYYY-MM-DD: what is told of each by itself. */
export const dayPart = (day: string): number => Number(day.replaceAll('-', ''));
