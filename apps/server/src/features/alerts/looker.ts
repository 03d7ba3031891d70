import { type AlertKind, alertKindInfo } from '@headrace/contract/rules/alerts/alert-kinds';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import type { Messages } from '../messages/messages.ts';
import { lockRules } from './alert-rules.repo.ts';
import { isDue } from './due.ts';
import { type FarmView, farmView, type ViewSources } from './farm-view.ts';
import { observeBatteries } from './observers/batteries.ts';
import { observeEmptySoon } from './observers/empty-soon.ts';
import { observeFailedCommands } from './observers/failed-commands.ts';
import { observeFlows } from './observers/flows.ts';
import { observeForecast } from './observers/forecasts.ts';
import { observeMissed } from './observers/missed.ts';
import { observePumps } from './observers/pumps.ts';
import { createInputsRepo } from './inputs.repo.ts';
import { grouped } from './grouped.ts';
import { oneTeller } from './one-teller.ts';
import { createInputObserver, type InputObserver } from './observers/inputs.ts';
import { observeLeaks } from './observers/leaks.ts';
import { observeLevels, observeSoil } from './observers/levels.ts';
import { observeSilence } from './observers/silence.ts';
import { observeErrors } from './observers/sprinkler-errors.ts';
import { observeTakeGaps } from './observers/take-gaps.ts';
import { observeTakeLimits } from './observers/take-limits.ts';
import { observeValves } from './observers/valves.ts';
import type { Observation, RuleRow } from './observation.ts';
import { type Change, endOf, planChanges } from './plan.ts';
import { COMES_AND_GOES_MS } from './rule-life.ts';
import { createSpokenFarms } from './spoken-farms.ts';
import { turnedTo } from './turned-to.ts';
import { tellChanges } from './tell-changes.ts';
import type { EpisodeRow, WatchRepo } from './watch.repo.ts';

/** `told`: devices of which the rule waits, or told something that is so still. */
type Observe = (view: FarmView, rule: RuleRow, told: ReadonlySet<number>) => Promise<Observation[]>;

export interface LookerOptions extends ViewSources {
  readonly db: Db;
  readonly messages: Messages;
  readonly log: { error(details: object, message: string): void };
  /** Which alerts it looks at. */
  readonly isOurs: (kind: AlertKind) => boolean;
}

type Stray = Awaited<ReturnType<WatchRepo['strays']>>[number];

/** Rules are read anew after so long, also those that another server saved, ms. */
const RULES_KEPT_MS = 30_000;
/** A rule that could not be looked at is tried again after so long, unless its kind is looked at more often, ms. */
const TRIED_AGAIN_MS = 60_000;

/**
 * Looks at farms by their alerts, and stores and tells what became otherwise: each alert as often as its kind is looked at, those of a
 * farm whose devices have just spoken at once, and those whose holds are over. What is stored is compared with what is so, so that
 * nothing is lost with a process, a rolled-back batch or a rule that was saved meanwhile: the next look finds it.
 */
export function createLooker(options: LookerOptions) {
  const { db, repo, messages, log, isOurs } = options;
  const inputs = createInputObserver(createInputsRepo(db));
  const observers = observersBy(inputs);
  let kept: { at: number; rules: readonly RuleRow[] } | null = null;
  const lookedAt = new Map<string, number>();
  const spoken = createSpokenFarms();
  let startedAt: number | null = null;

  async function rulesAt(now: Date): Promise<readonly RuleRow[]> {
    const at = now.getTime();
    if (kept && Math.abs(at - kept.at) < RULES_KEPT_MS) return kept.rules;
    for (const farmId of await repo.withStrays()) await guarded(log, farmId, () => endStrays(farmId, now));
    kept = { at, rules: (await repo.rules()).filter(({ kind }) => isOurs(kind)) };
    return kept.rules;
  }

  async function dueRules(
    now: Date,
    heard: ReadonlySet<number>,
    isWoken: boolean,
  ): Promise<Map<number, RuleRow[]>> {
    const all = await rulesAt(now);
    const rules = isWoken ? all.filter(({ farm_id }) => heard.has(farm_id)) : all;
    const holds = new Map(
      (isWoken ? [] : await repo.due(now)).map((row) => [
        keyOf(row.farm_id, row.rule_id),
        new Date(row.due_at).getTime(),
      ]),
    );
    const due = rules.filter(({ farm_id, id, kind }) => {
      const key = keyOf(farm_id, id);
      const waiting = { lookedAt: lookedAt.get(key), holdOver: holds.get(key), isHeard: heard.has(farm_id) };
      return isDue(kind, waiting, now.getTime());
    });
    // A parent's return, and what stayed away, are told by one look.
    const isNow = new Set(due);
    const silent = new Set(due.filter(isSilence).map(({ farm_id }) => farm_id));
    const chosen = rules.filter((rule) => isNow.has(rule) || (isSilence(rule) && silent.has(rule.farm_id)));
    return grouped(chosen, ({ farm_id }) => farm_id);
  }

  /** What was told by rules that are gone ends: nobody looks at it any more. */
  async function endStrays(farmId: number, now: Date): Promise<void> {
    const farm = await repo.farm(farmId);
    if (!farm) return;
    await db.transaction().execute(async (trx) => {
      await lockRules(trx, farmId);
      const changes = (await repo.strays(trx, farmId)).map((row) =>
        endOf(strayRule(row), row, now.getTime()),
      );
      await tellChanges(trx, messages, farm, changes, { recent: new Map(), now });
    });
  }

  async function lookAt(farmId: number, rules: readonly RuleRow[], now: Date): Promise<void> {
    const farm = await repo.farm(farmId);
    if (!farm) return;
    const view = farmView(
      farm,
      now,
      { since: startedAt ?? now.getTime(), rules: kept?.rules ?? rules },
      options,
    );
    const ids = rules.map(({ id }) => id);
    const since = new Date(now.getTime() - COMES_AND_GOES_MS);
    const [open, recent] = await Promise.all([repo.open(farmId, ids), repo.firedSince(farmId, ids, since)]);
    const { seen, failed } = await observeEach(observers, { view, rules, open }, log);
    for (const { id, kind } of failed) lookedAt.set(keyOf(farmId, id), triedAgainAt(kind, now.getTime()));
    // What devices said is kept for them.
    if (failed.some(({ kind }) => alertKindInfo[kind].isQuick)) spoken.add([farmId]);
    const observed = seen.map(({ rule }) => rule);
    const observedIds = observed.map(({ id }) => id);
    const changes = planChanges(oneTeller(seen, open), open, recent, now.getTime());
    const isCalm = changes.length === 0 && !inputs.hasNews(observedIds);
    const held = isCalm ? observedIds : await store(farm, observed, changes, { recent, now });
    inputs.stored(held);
    for (const id of held) lookedAt.set(keyOf(farmId, id), now.getTime());
  }

  /**
   * Alone with the farm's rules: what came of one that is gone, off or changed since it was read is dropped, and looked at anew by what
   * it says now. The ids of those that still hold.
   */
  async function store(
    farm: FarmRow,
    rules: readonly RuleRow[],
    changes: readonly Change[],
    look: { recent: ReadonlyMap<string, number>; now: Date },
  ): Promise<number[]> {
    const held = await db.transaction().execute(async (trx) => {
      await lockRules(trx, farm.id);
      const versions = await repo.versions(trx, farm.id);
      const holding = rules.flatMap(({ id, version }) => (versions.get(id) === version ? [id] : []));
      const still = new Set(holding);
      await inputs.store(trx, holding);
      await tellChanges(
        trx,
        messages,
        farm,
        changes.filter(({ rule }) => still.has(rule.id)),
        look,
      );
      return holding;
    });
    if (held.length < rules.length) kept = null;
    return held;
  }

  return {
    /**
     * One turn. Whose devices spoke is kept until what they said was looked at. `isWoken`: before its time, since some did: of these
     * farms alone.
     */
    async look(now: Date, isWoken = false): Promise<void> {
      startedAt ??= now.getTime();
      const heard = spoken.take(now.getTime());
      if (isWoken && heard.size === 0) return;
      try {
        for (const [farmId, rules] of turnedTo([...(await dueRules(now, heard, isWoken))], now.getTime()))
          if (!(await guarded(log, farmId, () => lookAt(farmId, rules, now))) && heard.has(farmId))
            spoken.add([farmId]);
      } catch (error) {
        spoken.add(heard);
        throw error;
      }
    },

    /** Devices of these farms have just said something that was stored. */
    heard: (farmIds: Iterable<number>): void => spoken.add(farmIds),

    /** A rule of the farm was saved: it is looked at with the next turn. */
    saved(): void {
      kept = null;
    },
  };
}

interface Seen {
  readonly rule: RuleRow;
  readonly observations: readonly Observation[];
}

/** One after the other. An alert that can't be looked at doesn't keep the farm's others from it. */
async function observeEach(
  observers: Record<AlertKind, Observe>,
  { view, rules, open }: { view: FarmView; rules: readonly RuleRow[]; open: readonly EpisodeRow[] },
  log: LookerOptions['log'],
): Promise<{ seen: Seen[]; failed: RuleRow[] }> {
  const openOf = grouped(open, ({ rule_id }) => rule_id);
  const seen: Seen[] = [];
  const failed: RuleRow[] = [];
  for (const rule of rules) {
    const told = new Set(openOf.get(rule.id)?.map(({ device_id }) => device_id));
    try {
      seen.push({ rule, observations: await observers[rule.kind](view, rule, told) });
    } catch (error) {
      const { farm_id: farmId, id: ruleId, kind } = rule;
      log.error({ err: error, farmId, ruleId, kind }, 'an alert was not looked at');
      failed.push(rule);
    }
  }
  return { seen, failed };
}

/** As if it had been looked at so long ago that it is its turn again soon. */
const triedAgainAt = (kind: AlertKind, now: number): number =>
  now - Math.max(0, alertKindInfo[kind].everyS * 1000 - TRIED_AGAIN_MS);

/** Of a rule that is gone, what is left to know. */
const strayRule = ({ rule_id, rule_name, kind }: Stray) => ({
  id: rule_id,
  name: rule_name,
  kind,
  condition: '',
  escalate_min: null,
});

const isSilence = ({ kind }: RuleRow) => kind === 'OutOfContact';

const keyOf = (farmId: number, ruleId: number) => `${farmId} ${ruleId}`;

const observersBy = (inputs: InputObserver): Record<AlertKind, Observe> => ({
  TankLow: observeLevels,
  TankHigh: observeLevels,
  TankLeak: observeLeaks,
  LowBattery: observeBatteries,
  OutOfContact: observeSilence,
  SprinklerError: observeErrors,
  SoilMoisture: observeSoil,
  InputChange: inputs.observe,
  ValveOpen: observeValves,
  Missed: observeMissed,
  PumpRuns: observePumps,
  EmptySoon: observeEmptySoon,
  Flow: observeFlows,
  Frost: observeForecast,
  Rain: observeForecast,
  CommandFailed: observeFailedCommands,
  TakeLimit: observeTakeLimits,
  TakeGap: observeTakeGaps,
});

/** Whether it could be done. A farm that can't be looked at doesn't keep the others from it. */
async function guarded(
  log: LookerOptions['log'],
  farmId: number,
  work: () => Promise<void>,
): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    log.error({ err: error, farmId }, 'the alerts of a farm were not looked at');
    return false;
  }
}
