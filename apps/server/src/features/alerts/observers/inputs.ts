import type { Seen } from '@headrace/contract/rules/alerts/alert-life';
import type { AlertFacts } from '@headrace/contract/rules/alerts/alert-texts';
import type { Db } from '../../../db/client.ts';
import type { FarmView } from '../farm-view.ts';
import { type Observation, type RuleRow, watchesDevice } from '../observation.ts';
import { classOf } from '../rule-life.ts';
import type { InputRow, InputsRepo, KnownInputRow } from '../inputs.repo.ts';

interface Known {
  readonly at: number;
  readonly isOn: boolean;
}

/** What a look read of a rule's inputs: it counts once what came of it is stored. */
interface Read {
  readonly known: KnownInputRow[];
  readonly until: Map<string, number>;
}

/**
 * Inputs of gateways and switches, by every word of theirs in the order of time: a float that rose and fell between two looks was
 * seen too. The last change is stored with what came of it, and compared with after a restart or another server's look; how far one
 * has read is only remembered.
 */
export function createInputObserver(repo: InputsRepo) {
  const readUntil = new Map<string, number>();
  const read = new Map<number, Read>();

  async function observe(
    view: FarmView,
    rule: RuleRow,
    input: InputRow,
    known: Known | undefined,
    into: Read,
  ) {
    const key = `${rule.id} ${input.device_id} ${input.part}`;
    const remembered = readUntil.get(key) ?? known?.at ?? input.at - 1;
    const after = Math.max(remembered, known?.at ?? remembered);
    const reports = input.at > after ? await repo.inputReadings(view.farm.id, input.series_id, after) : [];
    into.until.set(key, Math.max(after, reports.at(-1)?.at ?? after));
    let now = known;
    const changes: Known[] = [];
    for (const report of reports) {
      if (now?.isOn !== report.isOn) changes.push(report);
      if (now?.isOn !== report.isOn) now = report;
    }
    if (now && now !== known)
      into.known.push({
        farm_id: view.farm.id,
        rule_id: rule.id,
        device_id: input.device_id,
        part: input.part,
        at: new Date(now.at),
        is_on: now.isOn,
      });
    return now ? observationsOf(rule, input, { now, changes, isNew: known === undefined }) : [];
  }

  return {
    async observe(view: FarmView, rule: RuleRow): Promise<Observation[]> {
      const into: Read = { known: [], until: new Map() };
      read.set(rule.id, into);
      const [inputs, kept] = await Promise.all([
        repo.inputs(view.farm.id),
        repo.knownInputs(view.farm.id, rule.id),
      ]);
      const knownOf = new Map(
        kept.map(({ device_id, part, at, is_on }) => [
          `${device_id} ${part}`,
          { at: new Date(at).getTime(), isOn: is_on },
        ]),
      );
      const found: Observation[] = [];
      for (const input of inputs.filter((one) => isWatched(rule, one))) {
        const known = knownOf.get(`${input.device_id} ${input.part}`);
        found.push(...(await observe(view, rule, input, known, into)));
      }
      return found;
    },

    /** What was read of these rules is new, and has to be stored. */
    hasNews: (ruleIds: readonly number[]): boolean =>
      ruleIds.some((id) => (read.get(id)?.known.length ?? 0) > 0),

    /** In the transaction that stores what came of it. */
    store: (trx: Db, ruleIds: readonly number[]): Promise<void> =>
      repo.keepInputs(
        trx,
        ruleIds.flatMap((id) => read.get(id)?.known ?? []),
      ),

    /** After that: it is not read again. */
    stored(ruleIds: readonly number[]): void {
      for (const id of ruleIds) {
        for (const [key, until] of read.get(id)?.until ?? []) readUntil.set(key, until);
        read.delete(id);
      }
    },
  };
}
export type InputObserver = ReturnType<typeof createInputObserver>;

function isWatched(rule: RuleRow, { device_id, kind, part }: InputRow): boolean {
  if (!watchesDevice(rule, device_id)) return false;
  return kind === 'gateway' ? rule.inputs.includes(part) : rule.watch !== 'gateway';
}

interface InputChanges {
  readonly now: Known;
  readonly changes: readonly Known[];
  /** It is looked at for the first time: what it is then is no change. */
  readonly isNew: boolean;
}

/** Of "either" each change is a moment of its own. */
function observationsOf(
  rule: RuleRow,
  input: InputRow,
  { now, changes, isNew }: InputChanges,
): Observation[] {
  const report = (side: Seen['side'], at: number): Seen => ({
    side,
    at,
    value: null,
    class: classOf(rule, 'important'),
  });
  const of = { deviceId: input.device_id, part: input.part };
  if (rule.condition === 'either')
    return changes
      .slice(isNew ? 1 : 0)
      .map(({ at, isOn }) => ({ ...of, facts: factsOf(input, isOn), seen: [report('in', at)] }));
  const wanted = rule.condition === 'on';
  const all = changes.length > 0 ? changes : [now];
  const seen = all.map(({ at, isOn }) => report(isOn === wanted ? 'in' : 'out', at));
  return [{ ...of, facts: factsOf(input, wanted), seen }];
}

function factsOf({ name, title, kind, part }: InputRow, isOn: boolean): AlertFacts {
  const named = title && !/^input \d$/i.test(title) ? ` (${title})` : '';
  return { name, isOn, ...(kind === 'gateway' && { input: `Input ${part}${named} of` }) };
}
