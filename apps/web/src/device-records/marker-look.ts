import { contactOf, contactLabels } from '@headrace/contract/rules/place-condition';
import type { MapMarker } from '../map/marker.ts';
import { iconText } from './poi-icons.ts';

/**
 * How a repeater, or a sensor that isn't a tank's, looks on every map: purple, and red with its sign when it isn't in contact. `what`:
 * "Repeater Hill". Times in epoch ms; null: never heard.
 */
export function radioLook(
  kind: 'repeater' | 'sensor',
  what: string,
  statusTime: number | null,
  now: number,
): Pick<MapMarker, 'condition' | 'spoken'> {
  const contact = contactOf(kind, statusTime, now);
  return contact === 'ok'
    ? { condition: 'sensor', spoken: what }
    : { condition: 'issue', spoken: `${what}, ${contactLabels[contact].toLowerCase()}` };
}

/** "Gate"; a point without a kind, or with the plain pin, is a point of interest. */
export const poiText = (icon: string | undefined): string =>
  icon === undefined || icon === 'pin' ? 'Point of interest' : iconText(icon);
