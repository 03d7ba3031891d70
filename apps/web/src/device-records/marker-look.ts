import { contactOf, contactLabels } from '@headrace/contract/rules/place-condition';
import type { MapMarker } from '../map/marker.ts';
import type { Condition } from '../ui/tokens.ts';
import { iconText } from './poi-icons.ts';

/**
 * How a repeater, or a sensor that isn't a tank's, is on every map: purple, and red when it isn't in contact; `label` null: it is.
 * Times in epoch ms; null: never heard.
 */
export function radioStanding(
  kind: 'repeater' | 'sensor',
  statusTime: number | null,
  now: number,
): { readonly condition: Condition; readonly label: string | null } {
  const contact = contactOf(kind, statusTime, now);
  return contact === 'ok'
    ? { condition: 'sensor', label: null }
    : { condition: 'issue', label: contactLabels[contact] };
}

/** The same as its marker has it. `what`: "Repeater Hill". */
export function radioLook(
  kind: 'repeater' | 'sensor',
  what: string,
  statusTime: number | null,
  now: number,
): Pick<MapMarker, 'condition' | 'spoken'> {
  const { condition, label } = radioStanding(kind, statusTime, now);
  return { condition, spoken: label === null ? what : `${what}, ${label.toLowerCase()}` };
}

/** "Gate"; a point without a kind, or with the plain pin, is a point of interest. */
export const poiText = (icon: string | undefined): string =>
  icon === undefined || icon === 'pin' ? 'Point of interest' : iconText(icon);
