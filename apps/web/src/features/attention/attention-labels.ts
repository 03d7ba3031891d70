import type { Attention, AttentionDevice } from '@headrace/contract/attention';
import type { AttentionKind } from '@headrace/contract/attention-kinds';
import type { FarmUnits } from '@headrace/contract/rules/attention';
import { countText } from '@headrace/contract/rules/number-text';
import { numberText, withUnit } from '../../ui/format.ts';
import type { Condition } from '../../ui/tokens.ts';

/** What is wrong, before the names of those of which it is so; red or orange as their markers are. */
const kinds: Record<AttentionKind, { label: string; condition: Extract<Condition, 'issue' | 'caution'> }> = {
  valveOverdue: { label: 'Open, should be closed by now', condition: 'issue' },
  unplannedWatering: { label: 'Open, and nothing asks for it', condition: 'issue' },
  gatewayOffline: { label: 'Gateway offline', condition: 'issue' },
  leak: { label: 'Possible leak', condition: 'issue' },
  missedWatering: { label: 'Last watering missed or cut short', condition: 'issue' },
  failedCommand: { label: 'Failed, or not answered', condition: 'issue' },
  lowLevel: { label: 'Low level', condition: 'caution' },
  pumpLiftsLittle: { label: 'Pump may be lifting too little', condition: 'caution' },
  outOfContact: { label: 'Out of contact', condition: 'issue' },
  invalidValue: { label: 'Invalid sensor value', condition: 'caution' },
  noLevel: { label: 'No level told yet', condition: 'caution' },
  sprinklerError: { label: 'Battery, clock or schedule', condition: 'caution' },
  lowBattery: { label: 'Low battery', condition: 'caution' },
  neverContacted: { label: 'Never contacted', condition: 'issue' },
};

export const attentionText = (kind: AttentionKind): string => kinds[kind].label;
export const attentionCondition = (kind: AttentionKind) => kinds[kind].condition;

/** "Willows 17 %"; a leak that a meter tells is somewhere behind it. */
export function deviceText(
  { kind }: Attention,
  { device, name, percent, isOld, behind: unheard }: AttentionDevice,
): string {
  const what = percent === null ? name : `${name} ${withUnit(numberText(percent), '%')}`;
  const behind = kind === 'leak' && device === 'meter' ? `behind ${what}` : what;
  if (unheard) return `${behind}, nothing heard of ${unheardText(unheard)} behind it`;
  return isOld ? `${behind} when last heard` : behind;
}

const unheardText = ({ tanks, sprinklers }: NonNullable<AttentionDevice['behind']>) =>
  [sprinklers > 0 && countText(sprinklers, 'sprinkler'), tanks > 0 && countText(tanks, 'tank')]
    .filter(Boolean)
    .join(' and ');

const unitNames: readonly [keyof FarmUnits, string][] = [
  ['tanks', 'tank'],
  ['sprinklers', 'sprinkler'],
  ['meters', 'flow meter'],
  ['sites', 'soil site'],
  ['gateways', 'gateway'],
  ['repeaters', 'repeater'],
];

/** "14 tanks, 2 flow meters and 1 gateway"; empty without devices. */
export function unitsText(units: FarmUnits): string {
  const named = unitNames.flatMap(([unit, one]) => (units[unit] > 0 ? [countText(units[unit], one)] : []));
  return named.length < 2 ? named.join('') : `${named.slice(0, -1).join(', ')} and ${named.at(-1)}`;
}

/** What there is to say of these devices when nothing is wrong with them; empty without any. */
export function nothingWrongText(units: FarmUnits): string {
  const text = unitsText(units);
  const isOne = Object.values(units).reduce((sum, count) => sum + count, 0) === 1;
  return text && `${text} ${isOne ? 'is' : 'are'} in contact, with nothing wrong.`;
}
