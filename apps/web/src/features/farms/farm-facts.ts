import type { FarmSummary } from '@headrace/contract/farms';
import type { Condition } from '../../ui/tokens.ts';

export interface FarmFact {
  condition: Condition;
  text: string;
  /** The tank map's filter that shows which they are. */
  filter?: string | undefined;
}

const count = (n: number, one: string, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

/** What needs a person on a farm, worst first; what is well when nothing does. */
export function farmFacts(summary: FarmSummary): FarmFact[] {
  const { tanks, gateways, tanksOutOfContact, gatewaysOffline, tanksLow, tanksLowBattery, tanksLeaking } =
    summary;
  const faults: [number, Condition, string, string?][] = [
    [gatewaysOffline, 'issue', `${count(gatewaysOffline, 'gateway')} offline`],
    [tanksOutOfContact, 'issue', `${count(tanksOutOfContact, 'tank')} out of contact`, 'OutOfContact'],
    [tanksLeaking, 'issue', count(tanksLeaking, 'possible leak')],
    [tanksLow, 'caution', `${count(tanksLow, 'tank')} low`, 'LowVolume'],
    [tanksLowBattery, 'caution', `${count(tanksLowBattery, 'tank')} with a low battery`, 'LowBattery'],
  ];
  const facts = faults.flatMap(([n, condition, text, filter]) =>
    n > 0 ? [{ condition, text, filter }] : [],
  );
  if (facts.length > 0) return facts;
  if (tanks + gateways === 0) return [{ condition: 'inhibited', text: 'No tanks or gateways yet' }];
  return [{ condition: 'ok', text: 'Everything in contact' }];
}

export const needsAttention = (summary: FarmSummary | undefined): boolean =>
  summary !== undefined &&
  farmFacts(summary).some(({ condition }) => condition === 'issue' || condition === 'caution');

/** "6 tanks · 2 gateways · 42 sprinklers", without what the farm has none of. */
export function unitsText({ tanks, gateways, sprinklers }: FarmSummary): string {
  const units: [number, string][] = [
    [tanks, 'tank'],
    [gateways, 'gateway'],
    [sprinklers, 'sprinkler'],
  ];
  return units.flatMap(([n, name]) => (n > 0 ? count(n, name) : [])).join(' · ');
}
