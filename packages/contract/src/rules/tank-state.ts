import type { Confidence, TankInsight } from '../insights.ts';
import type { TankSummary } from '../tanks.ts';
import { isLowBattery, isLowLevel, isOutOfContact, tankCondition } from './tank.ts';

/** A tank falls out of contact without a message from it: its own age decides, besides the server's word. */
export function isTankOut(tank: Pick<TankSummary, 'statusTime' | 'isOutOfContact'>, now: number): boolean {
  return (
    tank.isOutOfContact || isOutOfContact(tank.statusTime === null ? null : Date.parse(tank.statusTime), now)
  );
}

export interface TankState {
  out: boolean;
  /** Out of contact since ever. */
  never: boolean;
  lowBattery: boolean;
  lowLevel: boolean;
  /** The sensor speaks, and what it says can't be this tank's level. */
  invalid: boolean;
  /** In contact, but a level was never read. */
  noLevel: boolean;
  /** By its level at night, or by a flow that never stops; known while it is in contact. */
  leak: boolean;
  /** Its pump runs, and the level doesn't rise as it should. */
  weakPump: boolean;
  /** 0 normal, 1 out of contact, 2 low battery, low level or, here only, anything else that is wrong: that is never green */
  condition: 0 | 1 | 2;
}

type Watched = Pick<
  TankSummary,
  'statusTime' | 'isOutOfContact' | 'level' | 'batteryVoltage' | 'leakDetected' | 'flow'
>;

/** What the readings of days point to; undefined: not known, or nothing. */
export type TankFindings = Pick<TankInsight, 'leak' | 'pump'>;

/** What has low confidence is no alarm: where one irrigates by night it would be one every day. */
export const isSure = (finding: { confidence: Confidence } | null | undefined): boolean =>
  finding !== null && finding !== undefined && finding.confidence !== 'low';

/**
 * The state of a tank. A leak counts only if the finding's confidence is above low. A pump without effect always counts, because its
 * confidence is low where no earlier run is known, as with a pump that has been on for a week.
 */
export function tankState(tank: Watched, now: number, found?: TankFindings): TankState {
  const out = isTankOut(tank, now);
  const { invalid } = tank.level;
  const percent = invalid ? null : tank.level.value;
  const leak = !out && (isSure(found?.leak) || mayLeak(tank));
  const weakPump = !out && Boolean(found?.pump);
  const condition = tankCondition({ isOutOfContact: out, batteryVoltage: tank.batteryVoltage, percent });
  return {
    out,
    never: tank.statusTime === null,
    lowBattery: isLowBattery(tank.batteryVoltage),
    lowLevel: isLowLevel(percent),
    invalid,
    noLevel: percent === null && !invalid && !out,
    leak,
    weakPump,
    condition: condition === 0 && (percent === null || leak || weakPump) ? 2 : condition,
  };
}

const mayLeak = (tank: Pick<TankSummary, 'leakDetected' | 'flow'>) =>
  tank.leakDetected || tank.flow?.leakDetected === true;

/** How urgently it needs a person, 0 the most: in the order of what is told of a farm. Of two alike the lower level first. */
export function tankUrgency(state: TankState): number {
  const { leak, lowLevel, weakPump, out, invalid, noLevel, lowBattery, never } = state;
  const found = [leak, lowLevel, weakPump, out && !never, invalid, noLevel, lowBattery, never].indexOf(true);
  return found === -1 ? CALM : found;
}
const CALM = 8;
