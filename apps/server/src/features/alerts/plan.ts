import { dueAt, type Life, lived, type LifeStep } from '@headrace/contract/rules/alerts/alert-life';
import type { AlertFacts } from '@headrace/contract/rules/alerts/alert-texts';
import type { Observation, RuleRow } from './observation.ts';
import { lifeRuleOf } from './rule-life.ts';
import type { EpisodeRow } from './watch.repo.ts';

/** Of a rule, what is needed once it was looked at: of one that is gone no more is known. */
export type ChangedRule = Pick<RuleRow, 'id' | 'name' | 'kind' | 'condition' | 'escalate_min'>;

/** What becomes of one alert on one part of a device. Times in epoch ms. */
export interface Change {
  readonly rule: ChangedRule;
  readonly deviceId: number;
  readonly part: number;
  /** Null: it begins. */
  readonly before: EpisodeRow | null;
  /** Null: it was pending, and is nothing. */
  readonly life: Life | null;
  readonly steps: readonly LifeStep[];
  readonly endedAt: number | null;
  readonly facts: AlertFacts;
  readonly dueAt: number | null;
  /** Why it ended, where that isn't because it is over. */
  readonly why: string | null;
  /** Its end is told to nobody. */
  readonly isQuiet?: boolean;
}

/** A value that moved by less is not written, of its own unit. */
const WRITTEN_BY = 1;
const NO_LONGER_WATCHED = 'no longer watched';
const OTHER_UNIT = 'another unit is in its place';

const keyOf = (ruleId: number, deviceId: number, part: number) => `${ruleId} ${deviceId} ${part}`;

/** What is otherwise than it is stored, by what was seen; in calm nothing is. `recent`: how often each fired within six hours. */
export function planChanges(
  rules: readonly { readonly rule: RuleRow; readonly observations: readonly Observation[] }[],
  open: readonly EpisodeRow[],
  recent: ReadonlyMap<string, number>,
  now: number,
): Change[] {
  const ruleOf = new Map(rules.map(({ rule }) => [rule.id, rule]));
  const stored = new Map<string, EpisodeRow>();
  const changes: Change[] = [];
  for (const row of open) {
    const rule = ruleOf.get(row.rule_id);
    if (rule && row.other_unit_at !== null) changes.push(endOf(rule, row, now, OTHER_UNIT));
    else stored.set(keyOf(row.rule_id, row.device_id, row.part), row);
  }
  for (const { rule, observations } of rules)
    for (const observation of observations) {
      const key = keyOf(rule.id, observation.deviceId, observation.part);
      const before = stored.get(key) ?? null;
      stored.delete(key);
      changes.push(...changesOf(rule, observation, before, recent.get(key) ?? 0, now));
    }
  for (const row of stored.values()) {
    const rule = ruleOf.get(row.rule_id);
    if (rule) changes.push(endOf(rule, row, now));
  }
  return changes;
}

function changesOf(
  rule: RuleRow,
  { deviceId, part, facts, seen, clearMs = 0, over }: Observation,
  before: EpisodeRow | null,
  recent: number,
  now: number,
): Change[] {
  const usual = lifeRuleOf(rule, part, recent);
  const lifeRule = { ...usual, clearMs: Math.max(usual.clearMs, clearMs) };
  const changes: Change[] = [];
  let row = before;
  let life = before && toLife(before);
  let steps: LifeStep[] = [];
  for (const one of seen) {
    const after = lived(life, one, lifeRule, now);
    steps.push(...after.steps);
    life = after.life;
    if (after.endedAt === null) continue;
    changes.push({
      rule,
      deviceId,
      part,
      before: row,
      life,
      steps,
      endedAt: after.endedAt,
      facts: { ...(row?.facts ?? facts), ...(over && { over: over.text }) },
      dueAt: null,
      why: null,
      isQuiet: over?.isNotified === false,
    });
    [row, life, steps] = [null, null, []];
  }
  if (
    isNews(row, life, steps) ||
    (row && life && life.state !== 'clearing' && namesAnother(row.facts, facts))
  )
    changes.push({
      rule,
      deviceId,
      part,
      before: row,
      life,
      steps,
      endedAt: null,
      facts: life && life.state === 'clearing' ? (row?.facts ?? facts) : facts,
      dueAt: life && dueAt(life, lifeRule),
      why: null,
    });
  return changes;
}

/** Its device is gone, or a store's: what was told of it ends, though it may be so still. */
export const endOf = (
  rule: ChangedRule,
  row: EpisodeRow,
  now: number,
  why: string = NO_LONGER_WATCHED,
): Change => ({
  rule,
  deviceId: row.device_id,
  part: row.part,
  before: row,
  life: row.state === 'pending' ? null : toLife(row),
  steps: row.state === 'pending' ? [] : ['ended'],
  endedAt: row.state === 'pending' ? null : now,
  facts: { ...row.facts, unwatched: why },
  dueAt: null,
  why,
});

function isNews(row: EpisodeRow | null, life: Life | null, steps: readonly LifeStep[]): boolean {
  if (steps.length > 0) return true;
  if (!row || !life) return row !== null || life !== null;
  return (
    row.state !== life.state ||
    row.class !== life.class ||
    hasMoved(row.value, life.value) ||
    hasMoved(row.peak, life.peak)
  );
}

/** Another watering than is stored, or which one at all: an alert from before that was kept had no word of it. */
const namesAnother = (stored: AlertFacts, { missedOf }: AlertFacts) =>
  missedOf !== undefined && stored.missedOf?.endAt !== missedOf.endAt;

const hasMoved = (from: number | null, to: number | null) =>
  from === null || to === null ? from !== to : Math.abs(from - to) >= WRITTEN_BY;

const ms = (at: Date | string | null) => (at === null ? null : new Date(at).getTime());

function toLife(row: EpisodeRow): Life | null {
  if (row.state === 'ended') return null;
  return {
    state: row.state,
    since: new Date(row.since).getTime(),
    firedAt: ms(row.fired_at),
    answeredAt: ms(row.answered_at),
    clearSince: ms(row.clear_since),
    class: row.class,
    value: row.value,
    peak: row.peak,
    cameBack: row.came_back,
  };
}
