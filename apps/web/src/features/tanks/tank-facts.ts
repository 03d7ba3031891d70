import { sensorTypes } from '@headrace/contract/sensor-types';
import type { TankSummary } from '@headrace/contract/tanks';
import { isLowBattery, isLowLevel, isOutOfContact, tankCondition } from '@headrace/contract/rules/tank';
import type { Condition } from '../../ui/tokens.ts';

/** A tank falls out of contact without a message from it: its own age decides, besides the server's word. */
export function isTankOut(tank: Pick<TankSummary, 'statusTime' | 'isOutOfContact'>, now: number): boolean {
  return (
    tank.isOutOfContact || isOutOfContact(tank.statusTime === null ? null : Date.parse(tank.statusTime), now)
  );
}

export interface TankState {
  out: boolean;
  lowBattery: boolean;
  lowLevel: boolean;
  /** The sensor speaks, and what it says can't be this tank's level. */
  invalid: boolean;
  /** In contact, but a level was never read. */
  noLevel: boolean;
  /** 0 normal, 1 out of contact, 2 low battery, low level or, here only, a level that isn't known: that is never green */
  condition: 0 | 1 | 2;
}

export function tankState(tank: TankSummary, now: number): TankState {
  const out = isTankOut(tank, now);
  const { invalid } = tank.level;
  const percent = invalid ? null : tank.level.value;
  const condition = tankCondition({ isOutOfContact: out, batteryVoltage: tank.batteryVoltage, percent });
  return {
    out,
    lowBattery: isLowBattery(tank.batteryVoltage),
    lowLevel: isLowLevel(percent),
    invalid,
    noLevel: percent === null && !invalid && !out,
    condition: condition === 0 && percent === null ? 2 : condition,
  };
}

/** Green, red and orange of a tank's condition; they colour its marker and its dot. */
export const conditionOf: Record<TankState['condition'], Condition> = { 0: 'ok', 1: 'issue', 2: 'caution' };

/** A tank's condition in words, the worst first. */
export function stateWords({ out, lowBattery, lowLevel, invalid, noLevel }: TankState): string[] {
  const words: string[] = [];
  if (out) words.push('Out of contact');
  if (invalid) words.push('Invalid sensor value');
  if (noLevel) words.push('No data');
  if (lowLevel) words.push('Low level');
  if (lowBattery) words.push('Low battery');
  return words;
}

/** Which way water flows: 0 is into the tank, 1 out of it. A meter that only counts tells neither, and then nothing is said. */
export const flowWord = (direction: number | null) =>
  direction === 0 ? 'in' : direction === 1 ? 'out' : null;

/** By its level at night, or by a flow that never stops. */
export const mayLeak = (tank: Pick<TankSummary, 'leakDetected' | 'flow'>) =>
  tank.leakDetected || tank.flow?.leakDetected === true;

/** A pump is set in the dialog where there is one; a TLM_V3's is not. */
export const hasPumpTab = ({ type, pumpControl }: Pick<TankSummary, 'type' | 'pumpControl'>): boolean =>
  pumpControl !== null && type !== sensorTypes.TLM_V3;

export interface TankCounts {
  total: number;
  out: number;
  lowBattery: number;
  lowLevel: number;
  invalid: number;
  /** In contact, with a possible leak. */
  leaking: number;
}

/** What a tank is counted for. Low battery and low level are counted by themselves, also of tanks out of contact. */
export function countTanks(tanks: readonly TankSummary[], now: number): TankCounts {
  const counts: TankCounts = {
    total: tanks.length,
    out: 0,
    lowBattery: 0,
    lowLevel: 0,
    invalid: 0,
    leaking: 0,
  };
  for (const tank of tanks) {
    const state = tankState(tank, now);
    if (state.out) counts.out += 1;
    if (state.lowBattery) counts.lowBattery += 1;
    if (state.lowLevel) counts.lowLevel += 1;
    if (tank.level.invalid) counts.invalid += 1;
    if (mayLeak(tank) && !state.out) counts.leaking += 1;
  }
  return counts;
}

/** By name without regard to case; numbers in names in their own order. */
const collator = new Intl.Collator('en-NZ', { sensitivity: 'base', numeric: true });
export const compareNames = (a: { name: string }, b: { name: string }) => collator.compare(a.name, b.name);

export const byName = (tanks: readonly TankSummary[]): TankSummary[] => [...tanks].sort(compareNames);

export const trendWords = { 1: 'rising', 0: 'steady', '-1': 'falling' } as const;
export function trendWord(trending: number | null): string | null {
  if (trending === null) return null;
  return trending > 0 ? trendWords[1] : trending < 0 ? trendWords['-1'] : trendWords[0];
}
