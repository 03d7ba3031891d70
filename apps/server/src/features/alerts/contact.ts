import { silenceMin } from '@headrace/contract/rules/alerts/alert-kinds';
import { type Gap, isSilent } from '@headrace/contract/rules/alerts/silence';
import { GATEWAY_OUT_OF_CONTACT_MS } from '@headrace/contract/limits';
import type { ContactRow } from './silence.repo.ts';

const MINUTE_MS = 60_000;
/** A sensor that says how often it reports is silent after so many of its intervals. */
const INTERVALS = 3;
/** After a gap of ours a device has so many of its intervals to be heard, or so long where it doesn't say how often it reports. */
const AGAIN_INTERVALS = 2;
const AGAIN_MS: Readonly<Record<ContactRow['kind'], number>> = {
  gateway: 15 * MINUTE_MS,
  sensor: 60 * MINUTE_MS,
  sprinkler: 12 * 60 * MINUTE_MS,
  repeater: 36 * 60 * MINUTE_MS,
  poi: 0,
};

/** Since when nobody hears it; null: it is there, or is new. One that replaced another is missed from then on. Epoch ms. */
export function silentSince(
  { kind, online, state_at, heard_at, replaced_at }: ContactRow,
  now: number,
): number | null {
  if (kind !== 'gateway') return heard_at ?? replaced_at;
  if (heard_at === null) return null;
  if (online === false) return Math.max(state_at ?? 0, heard_at);
  // The broker has it, and yet it says nothing.
  return now - heard_at > GATEWAY_OUT_OF_CONTACT_MS ? heard_at : null;
}

export function usualSilenceMin({ kind, interval_min }: Pick<ContactRow, 'kind' | 'interval_min'>): number {
  if (kind === 'gateway') return silenceMin.gateway;
  if (kind === 'sprinkler' || kind === 'repeater') return silenceMin.sprinkler;
  return interval_min === null ? silenceMin.tank : Math.max(silenceMin.tank, INTERVALS * interval_min);
}

/** Silent for longer than it may be; what it may have said while nobody listened isn't held against it. */
export function isBeyond(row: ContactRow, limitMs: number, gaps: readonly Gap[], now: number): boolean {
  const since = silentSince(row, now);
  if (since === null) return false;
  const { kind, interval_min } = row;
  const againMs = interval_min === null ? AGAIN_MS[kind] : AGAIN_INTERVALS * interval_min * MINUTE_MS;
  return isSilent({ since, limitMs, againMs }, gaps, now);
}

/** What is in a store, or out of service, is missed by nobody. */
export function isInService({ settings }: Pick<ContactRow, 'settings'>): boolean {
  const is: Record<string, unknown> = settings;
  return is['isSpareUnit'] !== true && is['outOfService'] !== true;
}
