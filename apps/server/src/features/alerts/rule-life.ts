import { type AlertClass, type AlertKind, isMomentKind } from '@headrace/contract/rules/alerts/alert-kinds';
import type { LifeRule } from '@headrace/contract/rules/alerts/alert-life';
import { type RuleRow, SCHEDULE_PART } from './observation.ts';

const MINUTE_MS = 60_000;
/** What is over stays over for so long before it is told, at least, ms. */
const CLEAR_LEAST_MS = 5 * MINUTE_MS;
const CLEAR_MOST_MS = 6 * 60 * MINUTE_MS;
/** A leak is over when its mark was off for so long, ms. */
const LEAK_CLEAR_MS = 6 * 60 * MINUTE_MS;
/** A send of schedules takes hours: until then a unit holds another one, ms. */
const SCHEDULE_HOLD_MS = 6 * 60 * MINUTE_MS;
/** So many of one alert on one device within COMES_AND_GOES_MS are one that comes and goes. */
export const COMES_AND_GOES = 4;
/** Of "either", each change of which is news, so many within COMES_AND_GOES_MS are told; more are on the timeline alone. */
export const MOMENTS_NOTIFIED = 12;
export const COMES_AND_GOES_MS = 6 * 60 * MINUTE_MS;

/** The class that a person gave the alert, else what it is by itself. */
export const classOf = (rule: Pick<RuleRow, 'class'>, usual: AlertClass): AlertClass => rule.class ?? usual;

/** Holds of an alert on one part of a device that fired `recent` times within six hours. */
export function lifeRuleOf(
  rule: Pick<RuleRow, 'kind' | 'condition' | 'hold_min'>,
  part: number,
  recent = 0,
): LifeRule {
  const holdMs = Math.max(rule.hold_min * MINUTE_MS, isSchedule(rule, part) ? SCHEDULE_HOLD_MS : 0);
  const isMoment = isMomentKind(rule.kind, rule.condition);
  const clearMs = rule.kind === 'TankLeak' ? LEAK_CLEAR_MS : Math.max(CLEAR_LEAST_MS, holdMs);
  const doubled = clearMs * 2 ** Math.max(0, recent - COMES_AND_GOES + 1);
  return {
    holdMs,
    clearMs: isMoment ? 0 : Math.max(clearMs, Math.min(CLEAR_MOST_MS, doubled)),
    isUpward: upward.includes(rule.kind) || rule.condition === 'above',
    isMoment,
  };
}

const upward: readonly AlertKind[] = ['TankHigh', 'TankLeak'];

const isSchedule = ({ kind }: Pick<RuleRow, 'kind'>, part: number) =>
  kind === 'SprinklerError' && part === SCHEDULE_PART;
