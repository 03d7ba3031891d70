import type { Seen } from '@headrace/contract/rules/alerts/alert-life';
import type { AlertFacts } from '@headrace/contract/rules/alerts/alert-texts';
import type { Selectable } from 'kysely';
import type { AlertTables } from '../../db/schema/alerts.ts';

export type RuleRow = Selectable<AlertTables['alert_rule']>;

/** What is so with one device, or a part of it, for one alert. */
export interface Observation {
  readonly deviceId: number;
  /** Which of its inputs or errors; 0: the device. */
  readonly part: number;
  readonly facts: AlertFacts;
  /** In the order of time; the last is what is so now. */
  readonly seen: readonly Seen[];
}

export const watchesDevice = (rule: RuleRow, deviceId: number): boolean =>
  rule.device_ids.length === 0 || rule.device_ids.includes(deviceId);

/** The part of a sprinkler that is its schedule error. */
export const SCHEDULE_PART = 3;
