import { alertKindInfo, type AlertKind } from '@headrace/contract/rules/alerts/alert-kinds';
import type { Db } from '../../db/client.ts';
import { tellServers } from '../../live/database-news.ts';
import type { Messages } from '../messages/messages.ts';
import { type FarmView, farmView, type ViewSources } from './farm-view.ts';
import { writeChanges } from './life-writer.ts';
import { observeBatteries } from './observers/batteries.ts';
import { createInputsRepo } from './inputs.repo.ts';
import { createInputObserver } from './observers/inputs.ts';
import { observeLeaks } from './observers/leaks.ts';
import { observeLevels, observeSoil } from './observers/levels.ts';
import { observeSilence } from './observers/silence.ts';
import { observeErrors } from './observers/sprinkler-errors.ts';
import { observeValves } from './observers/valves.ts';
import type { Observation, RuleRow } from './observation.ts';
import { planChanges } from './plan.ts';
import { COMES_AND_GOES_MS } from './rule-life.ts';
import { tellPeople } from './tell-people.ts';

type Observe = (view: FarmView, rule: RuleRow) => Promise<Observation[]>;

export interface LookerOptions extends ViewSources {
  readonly db: Db;
  readonly messages: Messages;
  readonly log: { error(details: object, message: string): void };
}

/** Rules are read anew after so long, also those that another server saved, ms. */
const RULES_KEPT_MS = 30_000;

/**
 * Looks at farms by their alerts, and stores and tells what became otherwise: each alert as often as its kind is looked at, those of a
 * farm whose devices have just spoken at once, and those whose holds are over. What is stored is compared with what is so, so that
 * nothing is lost with a process, a rolled-back batch or a rule that was saved meanwhile: the next look finds it.
 */
export function createLooker(options: LookerOptions) {
  const { db, repo, messages, log } = options;
  const observers: Record<AlertKind, Observe> = {
    TankLow: observeLevels,
    TankHigh: observeLevels,
    TankLeak: observeLeaks,
    LowBattery: observeBatteries,
    OutOfContact: observeSilence,
    SprinklerError: observeErrors,
    SoilMoisture: observeSoil,
    InputChange: createInputObserver(createInputsRepo(db)),
    ValveOpen: observeValves,
  };
  let kept: { at: number; rules: readonly RuleRow[] } | null = null;
  const lookedAt = new Map<string, number>();
  const spoke = new Set<number>();
  let startedAt: number | null = null;

  async function rulesAt(now: number): Promise<readonly RuleRow[]> {
    if (!kept || Math.abs(now - kept.at) >= RULES_KEPT_MS) kept = { at: now, rules: await repo.rules() };
    return kept.rules;
  }

  async function dueRules(now: Date): Promise<Map<number, RuleRow[]>> {
    const at = now.getTime();
    const heard = new Set(spoke);
    spoke.clear();
    const rules = await rulesAt(at);
    const holds = new Set((await repo.due(now)).map((row) => keyOf(row.farm_id, row.rule_id)));
    const due = rules.filter((rule) => {
      const key = keyOf(rule.farm_id, rule.id);
      const { everyS, isQuick } = alertKindInfo[rule.kind];
      const last = lookedAt.get(key);
      const isDue = last === undefined || Math.abs(at - last) >= everyS * 1000;
      return isDue || holds.has(key) || (isQuick && heard.has(rule.farm_id));
    });
    const byFarm = new Map<number, RuleRow[]>();
    for (const rule of due) byFarm.set(rule.farm_id, [...(byFarm.get(rule.farm_id) ?? []), rule]);
    return byFarm;
  }

  async function lookAt(farmId: number, rules: readonly RuleRow[], now: Date): Promise<void> {
    const farm = await repo.farm(farmId);
    if (!farm) return;
    const view = farmView(farm, now, startedAt ?? now.getTime(), options);
    const seen: { rule: RuleRow; observations: Observation[] }[] = [];
    for (const rule of rules) seen.push({ rule, observations: await observers[rule.kind](view, rule) });
    const ids = rules.map(({ id }) => id);
    const [open, recent] = await Promise.all([
      repo.open(farmId, ids),
      repo.firedSince(farmId, ids, new Date(now.getTime() - COMES_AND_GOES_MS)),
    ]);
    const changes = planChanges(seen, open, recent, now.getTime());
    for (const rule of rules) lookedAt.set(keyOf(farmId, rule.id), now.getTime());
    if (changes.length === 0) return;
    await db.transaction().execute(async (trx) => {
      const touched = await writeChanges(trx, farm, changes, { recent, now });
      for (const one of touched) await tellPeople(trx, messages, farm, one, now);
      await tellServers(trx, { kind: 'records-changed', farmId, record: 'alert', page: undefined });
    });
  }

  return {
    /** One turn. A farm that can't be looked at doesn't keep the others from it. */
    async look(now: Date): Promise<void> {
      startedAt ??= now.getTime();
      for (const [farmId, rules] of await dueRules(now))
        await lookAt(farmId, rules, now).catch((error: unknown) =>
          log.error({ err: error, farmId }, 'the alerts of a farm were not looked at'),
        );
    },

    /** Devices of these farms have just said something that was stored. */
    heard(farmIds: Iterable<number>): void {
      for (const farmId of farmIds) spoke.add(farmId);
    },

    /** A rule of the farm was saved: it is looked at with the next turn. */
    saved(): void {
      kept = null;
    },
  };
}

const keyOf = (farmId: number, ruleId: number) => `${farmId} ${ruleId}`;
