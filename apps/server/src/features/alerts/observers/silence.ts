import { silenceMin, type WatchedDevice } from '@headrace/contract/rules/alerts/alert-kinds';
import { GATEWAY_OUT_OF_CONTACT_MS } from '@headrace/contract/limits';
import { sensorTypes, tankTypes } from '@headrace/contract/sensor-types';
import type { FarmView } from '../farm-view.ts';
import { type Observation, type RuleRow, watchesDevice } from '../observation.ts';
import { classOf } from '../rule-life.ts';
import type { ContactRow } from '../watch.repo.ts';

const MINUTE_MS = 60_000;
/** After a start of the server devices have so long to be heard: it may have been away. */
const SURE_AFTER_MS = 15 * MINUTE_MS;
/** A sensor that says how often it reports is silent after so many of its intervals. */
const INTERVALS = 3;

/** Devices that were not heard for longer than they may be. One that was never heard is not silent: it is new. */
export async function observeSilence(view: FarmView, rule: RuleRow): Promise<Observation[]> {
  const contacts = await view.contacts();
  return contacts.flatMap((row) => {
    if (!isWatched(rule, row)) return [];
    const since = silentSince(row, view.now);
    const limitMs = (rule.value ?? usualSilenceMin(row)) * MINUTE_MS;
    const isSilent = since !== null && view.now - since > limitMs;
    const isUnsure = isSilent && view.now - view.since < Math.min(limitMs, SURE_AFTER_MS);
    const seen = {
      side:
        isUnsure || row.heard_at === null
          ? ('unknown' as const)
          : isSilent
            ? ('in' as const)
            : ('out' as const),
      at: isSilent ? since : (row.heard_at ?? view.now),
      value: null,
      class: classOf(rule, row.kind === 'gateway' ? 'important' : 'info'),
    };
    return [{ deviceId: row.id, part: 0, facts: { name: row.name, kind: row.kind }, seen: [seen] }];
  });
}

/** Since when nobody hears it; null: it is there, or was never heard. Epoch ms. */
function silentSince({ kind, online, state_at, heard_at }: ContactRow, now: number): number | null {
  if (kind !== 'gateway') return heard_at;
  if (heard_at === null) return null;
  if (online === false) return Math.max(state_at ?? 0, heard_at);
  // The broker has it, and yet it says nothing.
  return now - heard_at > GATEWAY_OUT_OF_CONTACT_MS ? heard_at : null;
}

function usualSilenceMin({ kind, interval_min }: ContactRow): number {
  if (kind === 'gateway') return silenceMin.gateway;
  if (kind === 'sprinkler' || kind === 'repeater') return silenceMin.sprinkler;
  return interval_min === null ? silenceMin.tank : Math.max(silenceMin.tank, INTERVALS * interval_min);
}

/** What is in a store, or out of service, is missed by nobody. */
function isWatched(rule: RuleRow, row: ContactRow): boolean {
  const settings: Record<string, unknown> = row.settings;
  if (settings['isSpareUnit'] === true || settings['outOfService'] === true) return false;
  return watchesDevice(rule, row.id) && (rule.watch === null || isOf(rule.watch, row));
}

function isOf(watch: WatchedDevice, { kind, type }: ContactRow): boolean {
  if (kind !== 'sensor') return watch === kind;
  if (watch === 'tank') return tankTypes.includes(type);
  if (watch === 'soil') return type === sensorTypes.SOIL_MOISTURE;
  return watch === 'sensor';
}
