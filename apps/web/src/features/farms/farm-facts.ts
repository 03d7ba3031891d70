import type { FarmSummary } from '@headrace/contract/farms';
import type { Condition } from '../../ui/tokens.ts';

export interface FarmFact {
  condition: Condition;
  text: string;
}

const count = (n: number, one: string, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

/** What needs a person on a farm, worst first; what is well when nothing does. */
export function farmFacts(summary: FarmSummary): FarmFact[] {
  const { tanks, gateways, tanksOutOfContact, gatewaysOffline, tanksLow, tanksLowBattery } = summary;
  const faults: [number, Condition, string][] = [
    [gatewaysOffline, 'issue', `${count(gatewaysOffline, 'gateway')} offline`],
    [tanksOutOfContact, 'issue', `${count(tanksOutOfContact, 'tank')} out of contact`],
    [tanksLow, 'caution', `${count(tanksLow, 'tank')} low`],
    [tanksLowBattery, 'caution', `${count(tanksLowBattery, 'tank')} with a low battery`],
  ];
  const facts = faults.filter(([n]) => n > 0).map(([, condition, text]) => ({ condition, text }));
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
