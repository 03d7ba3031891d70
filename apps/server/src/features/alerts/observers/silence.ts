import type { Seen } from '@headrace/contract/rules/alerts/alert-life';
import type { AlertFacts } from '@headrace/contract/rules/alerts/alert-texts';
import { whoseSilence } from '@headrace/contract/rules/alerts/parent';
import type { Gap } from '@headrace/contract/rules/alerts/silence';
import { watchedKinds } from '@headrace/contract/rules/alerts/watched-devices';
import { isBeyond, isInService, silentSince, usualSilenceMin } from '../contact.ts';
import type { FarmView } from '../farm-view.ts';
import { grouped } from '../grouped.ts';
import { type Observation, type RuleRow, watchesDevice } from '../observation.ts';
import { graceOf, type ParentNow, type Parents } from '../parents.ts';
import { isNotifiedElsewhere } from '../notified-elsewhere.ts';
import { classOf } from '../rule-life.ts';
import { valvesBehind } from '../valves-behind.ts';
import type { ContactRow } from '../silence.repo.ts';

const MINUTE_MS = 60_000;
/** After a start of the server devices have so long to be heard: it may have been away. */
const SURE_AFTER_MS = 15 * MINUTE_MS;

/** What a look knows of silence. */
interface Look {
  readonly view: FarmView;
  readonly rule: RuleRow;
  readonly parents: Parents;
  readonly gaps: readonly Gap[];
}

/**
 * Devices that were not heard for longer than they may be. One that was never heard is not silent: it is new, unless it replaced one that was. What fell silent with what
 * it is heard through is not told: that one is, also by an alert that doesn't watch it where no other does.
 */
export async function observeSilence(
  view: FarmView,
  rule: RuleRow,
  told: ReadonlySet<number>,
): Promise<Observation[]> {
  if (await isCalm(view, rule, told)) return [];
  const [contacts, parents, gaps] = await Promise.all([view.contacts(), view.parents(), view.gaps()]);
  const look: Look = { view, rule, parents, gaps };
  const watched = contacts.filter((row) => isWatched(rule, row));
  const found = watched.map((row) => ofDevice(row, look));
  const causes = grouped(found, ({ cause }) => cause?.id);
  const missing = [...parents.byId.values()].filter(
    (parent) =>
      !watched.some(({ id }) => id === parent.id) &&
      (told.has(parent.id) || (causes.has(parent.id) && !isNotifiedElsewhere(parent, view, rule))),
  );
  const own = await Promise.all(found.map(({ observation }) => withBehind(observation, look)));
  return [...own, ...(await Promise.all(missing.map((parent) => ofParent(parent, look))))];
}

/** An alert of gateways, all of which are there, and that has told nothing that is so still: what is behind them isn't asked for. */
async function isCalm(view: FarmView, { watch }: RuleRow, told: ReadonlySet<number>): Promise<boolean> {
  if (watch !== 'gateway' || told.size > 0) return false;
  return (await view.gateways()).every((row) => silentSince(row, view.now) === null);
}

interface Found {
  readonly observation: Observation;
  /** Whose silence it is, where it isn't its own. */
  readonly cause: ParentNow | null;
}

function ofDevice(row: ContactRow, { view, rule, parents, gaps }: Look): Found {
  const since = silentSince(row, view.now);
  const limitMs = limitOf(rule, row);
  const isSilent = since !== null && isBeyond(row, limitMs, gaps, view.now);
  const cause = isSilent ? causeOf(row, limitMs, parents, view.now) : 'own';
  const isJustUp = view.now - view.since < Math.min(limitMs, SURE_AFTER_MS);
  // Beyond its limit by the clock, and not while nobody listened: nothing is known of it.
  const isUnsure = since !== null && view.now - since > limitMs && (!isSilent || isJustUp || cause !== 'own');
  const seen: Seen = {
    side: sideOf(row, isUnsure, isSilent),
    at: isSilent ? since : (row.heard_at ?? view.now),
    value: null,
    class: classOf(rule, row.kind === 'gateway' ? 'important' : 'info'),
  };
  const back = parents.of(row).find((parent) => parent.isReturnNotified && isSilentSinceBefore(row, parent));
  const facts: AlertFacts = {
    name: row.name,
    kind: row.kind,
    ...(isUnheard(row) && { isUnheard: true }),
    ...(back?.back && {
      back: {
        deviceId: back.id,
        name: back.name,
        at: back.back.at,
        of: back.children.length,
      },
    }),
  };
  return {
    observation: { deviceId: row.id, part: 0, facts, seen: [seen] },
    cause: typeof cause === 'string' ? null : cause,
  };
}

/** One that replaced another and was not heard yet is silent from its limit on, and was never there. */
function sideOf(row: ContactRow, isUnsure: boolean, isSilent: boolean): Seen['side'] {
  if (isUnsure) return 'unknown';
  if (isSilent) return 'in';
  return row.heard_at === null ? 'unknown' : 'out';
}

const isUnheard = ({ heard_at, replaced_at }: ContactRow) => heard_at === null && replaced_at !== null;

const isSilentSinceBefore = ({ heard_at }: ContactRow, { awaySince, back }: ParentNow) =>
  awaySince === null && back !== null && heard_at !== null && heard_at < back.at;

/** The first on its way from us that is away, or of which that isn't known yet. */
function causeOf(
  row: ContactRow,
  limitMs: number,
  parents: Parents,
  now: number,
): ParentNow | 'own' | 'unsure' {
  const child = { heardAt: row.heard_at ?? row.replaced_at ?? now, limitMs };
  for (const parent of parents.of(row)) {
    const whose = whoseSilence(child, parent, now);
    if (whose === 'parent') return parent;
    if (whose === 'unsure') return whose;
  }
  return 'own';
}

const limitOf = (rule: RuleRow, row: ContactRow) => (rule.value ?? usualSilenceMin(row)) * MINUTE_MS;

/** One that the alert doesn't watch, and that takes what it watches with it. */
async function ofParent(parent: ParentNow, look: Look): Promise<Observation> {
  const { view, rule } = look;
  const { id, name, kind, awaySince, heardAt, isBeyond: isLong } = parent;
  const isJustUp = view.now - view.since < SURE_AFTER_MS;
  const seen: Seen = {
    side: awaySince === null ? 'out' : isLong && !isJustUp ? 'in' : 'unknown',
    at: awaySince ?? heardAt ?? view.now,
    value: null,
    class: classOf(rule, 'important'),
  };
  return withBehind({ deviceId: id, part: 0, facts: { name, kind }, seen: [seen], isCause: true }, look);
}

/** Its end waits until what is behind it had time to be heard: so one message tells of both. */
async function withBehind(observation: Observation, { view, parents }: Look): Promise<Observation> {
  const parent = parents.byId.get(observation.deviceId);
  if (!parent || parent.children.length === 0) return observation;
  const clearMs = graceOf(parent.children);
  if (parent.awaySince === null) return { ...observation, clearMs };
  const valves = parent.kind === 'gateway' ? await valvesBehind(view, parent) : null;
  const facts = { ...observation.facts, behind: countsOf(parent.children), ...(valves && { valves }) };
  return { ...observation, facts, clearMs };
}

function countsOf(children: readonly ContactRow[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const child of children) {
    const [kind = 'device'] = watchedKinds(child);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

/** What is in a store, or out of service, is missed by nobody. */
const isWatched = (rule: RuleRow, row: ContactRow): boolean =>
  isInService(row) &&
  watchesDevice(rule, row.id) &&
  (rule.watch === null || watchedKinds(row).includes(rule.watch));
