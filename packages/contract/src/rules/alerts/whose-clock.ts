import type { Timezone } from '../../farms.ts';
import { farmOffsetSeconds, zoneOffsetSeconds } from '../farm-time.ts';
import { zoneName } from '../zone-name.ts';

const hasClock = (text: string) => /\d\d:\d\d/.test(text);

/** The name of the farm's zone where its reader's clock shows another time; '' where it doesn't, or nobody knows theirs. `at` in epoch ms. */
function foreignTo(reader: string | null, zone: Timezone, at: number): string {
  const isSame = reader === null || farmOffsetSeconds(zone, at) === zoneOffsetSeconds(reader, at);
  return isSame ? '' : zoneName(zone, at);
}

/**
 * Whose clock its times are by, behind a text that has times; of a text in lines in a paragraph of its own. `reader`: the zone of who reads
 * it, as far as it is known.
 */
export function withClock(text: string, reader: string | null, zone: Timezone, at: number): string {
  const name = foreignTo(reader, zone, at);
  if (name === '' || !hasClock(text)) return text;
  return `${text}${text.includes('\n') ? '\n\n' : ' '}Times are by the farm's clock (${name}).`;
}

/** Of an SMS, each part of which costs. */
export function withShortClock(text: string, reader: string | null, zone: Timezone, at: number): string {
  const name = foreignTo(reader, zone, at).replace('−', '-');
  return name === '' || !hasClock(text) ? text : `${text} (${name})`;
}
