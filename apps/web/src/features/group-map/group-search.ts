import type { MapUnit } from '@headrace/contract/map-units';
import { foldText } from '../../ui/fold-text.ts';
import { kindLabels, type OtherDevice } from './group-markers.ts';

type Searched = MapUnit | OtherDevice;

/** By device: it is folded once, and a farm of 5,000 is searched with every letter. */
const texts = new WeakMap<Searched, string>();

/** Name, serial number, MAC and groups, or what it is, as they are searched. */
function textOf(device: Searched): string {
  const known = texts.get(device);
  if (known !== undefined) return known;
  const more = 'mac' in device ? [device.mac, ...device.groups] : [kindLabels[device.kind]];
  const text = foldText([device.name, device.serial, ...more].join(' '));
  texts.set(device, text);
  return text;
}

type Match = (device: Searched) => boolean;

/** Whether a device has every word that was typed; null: nothing was typed, and all are meant. */
export function matchOf(typed: string): Match | null {
  const words = foldText(typed).split(/\s+/).filter(Boolean);
  if (words.length === 0) return null;
  return (device) => {
    const text = textOf(device);
    return words.every((word) => text.includes(word));
  };
}
