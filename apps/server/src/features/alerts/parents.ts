import { graceMs, type Parent, shortReturn } from '@headrace/contract/rules/alerts/parent';
import { NETWORK_SERVER } from '@headrace/contract/rules/alerts/alert-texts';
import type { Gap } from '@headrace/contract/rules/alerts/silence';
import { GATEWAY_OUT_OF_CONTACT_MS } from '@headrace/contract/limits';
import { isBeyond, isInService, silentSince, usualSilenceMin } from './contact.ts';
import type { FarmView } from './farm-view.ts';
import { grouped } from './grouped.ts';
import type { ContactRow } from './silence.repo.ts';
import type { WatchRepo } from './watch.repo.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Repeaters report daily: longer than this and one is silent, ms. */
const REPEATER_SILENT_MS = 36 * HOUR_MS;
/** Of the sensors of a network server, three or more, none was heard for an hour, or three intervals of what reports most often. */
const NETWORK_SILENT_MS = HOUR_MS;
const NETWORK_LEAST = 3;
const NETWORK_INTERVALS = 3;
/** A return is remembered for so long, ms. */
const RETURNS_MS = 12 * HOUR_MS;
/** An outage that nobody was told of was no longer than that, ms. */
const UNNOTIFIED_MS = 15 * MINUTE_MS;

/** One that other devices are heard through. `id`: a network server's is that of its key, and negative. */
export interface ParentNow extends Parent {
  readonly id: number;
  readonly name: string;
  readonly kind: 'gateway' | 'repeater' | typeof NETWORK_SERVER;
  /** Those in service. */
  readonly children: readonly ContactRow[];
  /** Away for longer than it may be: until then nobody is told of it. */
  readonly isBeyond: boolean;
  /** One in a store, or out of service, is watched by no alert. */
  readonly isInService: boolean;
  /** Its last return was told, and what is behind it has its grace from then. */
  readonly isReturnNotified: boolean;
}

/** The way to each device, from us on, and each parent by its id. */
export interface Parents {
  readonly of: (row: ContactRow) => readonly ParentNow[];
  readonly byId: ReadonlyMap<number, ParentNow>;
}

/** What is known of all parents of a farm. */
interface Known {
  readonly now: number;
  readonly gaps: readonly Gap[];
  readonly returns: ReadonlyMap<number, { readonly from: number; readonly at: number | null }>;
}

export async function readParents(view: FarmView, repo: WatchRepo): Promise<Parents> {
  const rows = await view.contacts();
  const served = rows.filter(isInService);
  const sensors = served.flatMap(({ id, kind }) => (kind === 'sensor' ? [id] : []));
  const [gaps, returns, keys] = await Promise.all([
    view.gaps(),
    repo.returns(view.farm.id, new Date(view.now - RETURNS_MS)),
    sensors.length < NETWORK_LEAST ? [] : repo.integrationKeys(view.farm.id, sensors),
  ]);
  const known: Known = { now: view.now, gaps, returns };
  const keyOf = new Map(keys.map((key) => [key.device_id, key]));
  const wayOf = ({ id, gateway_id, via_id }: ContactRow) => {
    const key = keyOf.get(id);
    return [key ? -key.key_id : null, gateway_id, via_id].filter((parent) => parent !== null);
  };
  const behind = grouped(
    served.flatMap((row) => wayOf(row).map((parentId) => ({ parentId, row }))),
    ({ parentId }) => parentId,
  );
  const childrenOf = (id: number) => (behind.get(id) ?? []).map(({ row }) => row);
  const nameOf = new Map(keys.map(({ key_id, name }) => [-key_id, name]));
  const byId = new Map<number, ParentNow>();
  for (const [id, name] of nameOf) byId.set(id, networkServer({ id, name }, childrenOf(id), known));
  for (const row of rows) {
    if (row.kind === 'gateway') byId.set(row.id, gateway(row, childrenOf(row.id), known));
    if (row.kind === 'repeater' && behind.has(row.id))
      byId.set(row.id, repeater(row, childrenOf(row.id), known));
  }
  return { byId, of: (row) => wayOf(row).flatMap((id) => byId.get(id) ?? []) };
}

/** Since when a gateway is away; null: it is there. */
export function gatewayAwaySince(row: ContactRow, gaps: readonly Gap[], now: number): number | null {
  const isAway = row.online === false || isBeyond(row, GATEWAY_OUT_OF_CONTACT_MS, gaps, now);
  return isAway ? silentSince(row, now) : null;
}

function gateway(row: ContactRow, children: readonly ContactRow[], known: Known): ParentNow {
  const { gaps, now } = known;
  const told = returnNotified({ id: row.id, heardAt: row.heard_at }, children, known);
  const isBack = row.online === true && row.state_at !== null;
  return {
    id: row.id,
    name: row.name,
    kind: 'gateway',
    children,
    heardAt: row.heard_at,
    limitMs: 0,
    awaySince: gatewayAwaySince(row, gaps, now),
    isBeyond: isBeyond(row, usualSilenceMin(row) * MINUTE_MS, gaps, now),
    isInService: isInService(row),
    back: told ?? (isBack ? shortReturn(row.state_at ?? 0, UNNOTIFIED_MS) : null),
    isReturnNotified: told !== null,
  };
}

/** It reports once a day; what it has passed on since shows that it was there. */
function repeater(row: ContactRow, children: readonly ContactRow[], known: Known): ParentNow {
  const all = [row, ...children];
  const heardAt = newestOf(all);
  const back = returnNotified({ id: row.id, heardAt }, children, known);
  const isAway = all.every((one) => isBeyond(one, REPEATER_SILENT_MS, known.gaps, known.now));
  return {
    id: row.id,
    name: row.name,
    kind: 'repeater',
    children,
    heardAt,
    isBeyond: isAway,
    isInService: isInService(row),
    back,
    isReturnNotified: back !== null,
    awaySince: isAway ? heardAt : null,
    limitMs: REPEATER_SILENT_MS,
  };
}

/** By its sensors alone: nothing else says whether it is there. */
function networkServer(
  { id, name }: { id: number; name: string },
  children: readonly ContactRow[],
  known: Known,
): ParentNow {
  const { gaps, now } = known;
  const intervals = children.flatMap(({ interval_min }) => interval_min ?? []);
  const shortest = intervals.length === 0 ? 0 : Math.min(...intervals) * MINUTE_MS;
  const limitMs = Math.max(NETWORK_SILENT_MS, NETWORK_INTERVALS * shortest);
  const isOne = children.length >= NETWORK_LEAST;
  const isAway = isOne && children.every((row) => isBeyond(row, limitMs, gaps, now));
  const heardAt = newestOf(children);
  const back = returnNotified({ id, heardAt }, children, known);
  return {
    id,
    name,
    kind: NETWORK_SERVER,
    children,
    heardAt,
    isBeyond: isAway,
    isInService: true,
    back,
    isReturnNotified: back !== null,
    awaySince: isAway ? heardAt : null,
    limitMs: isOne ? limitMs : 0,
  };
}

const newestOf = (rows: readonly ContactRow[]): number =>
  Math.max(0, ...rows.map(({ heard_at, replaced_at }) => heard_at ?? replaced_at ?? 0));

/** Where it was told as away. One that is back now, and not yet stored as such, is back since its newest word. */
function returnNotified(
  { id, heardAt }: { id: number; heardAt: number | null },
  children: readonly ContactRow[],
  { returns }: Known,
): Parent['back'] {
  const told = returns.get(id);
  const at = told?.at ?? heardAt;
  return told && at !== null ? { at, awayMs: at - told.from, graceMs: graceOf(children) } : null;
}

/** How long what is behind a parent has, once that is back. */
export const graceOf = (children: readonly ContactRow[]): number =>
  graceMs(children.flatMap(({ interval_min }) => (interval_min === null ? [] : [interval_min * MINUTE_MS])));
