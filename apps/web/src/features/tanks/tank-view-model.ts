import { sensorTypes } from '@headrace/contract/sensor-types';
import type { TankSummary } from '@headrace/contract/tanks';
import type { TankState } from '@headrace/contract/rules/tank-state';
import type { Condition } from '../../ui/tokens.ts';

/** Green, red and orange of a tank's condition; they colour its marker and its dot. A possible leak is never green, nor orange. */
export function conditionOf({ condition, leak }: Pick<TankState, 'condition' | 'leak'>): Condition {
  if (condition === 1 || leak) return 'issue';
  return condition === 2 ? 'caution' : 'ok';
}

/** A tank's condition in words, the worst first. */
export function stateLabel(state: TankState): string[] {
  if (state.never) return ['Never contacted'];
  const text: string[] = [];
  if (state.out) text.push('Out of contact');
  if (state.leak) text.push('Possible leak');
  if (state.invalid) text.push('Invalid sensor value');
  if (state.noLevel) text.push('No data');
  if (state.lowLevel) text.push('Low level');
  if (state.weakPump) text.push('Pump may be lifting too little');
  if (state.lowBattery) text.push('Low battery');
  return text;
}

/** Which way water flows: 0 is into the tank, 1 out of it. A meter that only counts tells neither, and then nothing is said. */
export const flowLabel = (direction: number | null) =>
  direction === 0 ? 'in' : direction === 1 ? 'out' : null;

/** A pump is set in the dialog where there is one; a TLM_V3's is not. */
export const hasPumpTab = ({ type, pumpControl }: Pick<TankSummary, 'type' | 'pumpControl'>): boolean =>
  pumpControl !== null && type !== sensorTypes.TLM_V3;

/** By name without regard to case; numbers in names in their own order. */
const collator = new Intl.Collator('en-NZ', { sensitivity: 'base', numeric: true });
export const compareNames = (a: { name: string }, b: { name: string }) => collator.compare(a.name, b.name);

export const byName = (tanks: readonly TankSummary[]): TankSummary[] => [...tanks].sort(compareNames);

export const trendLabels = { 1: 'rising', 0: 'steady', '-1': 'falling' } as const;
export function trendLabel(trending: number | null): string | null {
  if (trending === null) return null;
  return trending > 0 ? trendLabels[1] : trending < 0 ? trendLabels['-1'] : trendLabels[0];
}
