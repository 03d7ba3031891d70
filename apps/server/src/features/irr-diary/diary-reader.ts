import { compareNatural } from '@headrace/contract/rules/natural-order';
import { entryStart } from '@headrace/contract/rules/schedule/unit-diary';
import type { FarmRow } from '../../db/schema.ts';
import { wateringClock } from '../farm-clock/farm-zone.ts';
import { mapInTurns } from '../../jobs/in-turns.ts';
import { byDevice } from './by-key.ts';
import type { DiaryFactsRepo } from './diary-facts.repo.ts';
import type { DiaryTroublesRepo } from './diary-troubles.repo.ts';
import type { DiaryGroup, DiaryUnit, DiaryUnitsRepo, Grouping, Span } from './diary-units.repo.ts';
import { troubleFacts } from './trouble-facts.ts';
import {
  type Days,
  groupingAt,
  isTrouble,
  type ReasonedEntry,
  reasonedEntries,
  type UnitDays,
  withSaidClosed,
} from './unit-days.ts';
import { createUnitDiaries } from './unit-diaries.ts';

const DAY = 86_400_000;

export interface Diary {
  readonly units: readonly DiaryUnit[];
  readonly groups: readonly DiaryGroup[];
  /** In the order of time. */
  readonly entries: readonly ReasonedEntry[];
  /** In which groups a sprinkler was then. */
  readonly groupingAt: (unit: DiaryUnit, at: number) => Grouping;
}

interface Parts {
  readonly units: DiaryUnitsRepo;
  readonly facts: DiaryFactsRepo;
  readonly troubles: DiaryTroublesRepo;
}

/** Reads what a farm's sprinklers were to do and did in some days; a fixed number of queries, however many they are. */
export function createDiaryReader({ units: repo, facts, troubles }: Parts) {
  const readUnits = createUnitDiaries(facts);

  /** Of what isn't known to have been watered, whether the sprinkler said that its valve was closed. */
  async function withReports(farmId: number, made: readonly UnitDays[], days: Days, now: number) {
    const asked = made.flatMap((one) => one.asked);
    if (asked.length === 0) return made;
    const closedOf = byDevice(await troubles.saidClosed(farmId, asked));
    return made.map((one): UnitDays => {
      const saidClosed = closedOf(one.unit.id).map(({ at }) => at);
      return saidClosed.length === 0 ? one : withSaidClosed(one, saidClosed, days, now);
    });
  }

  async function entriesOf(farmId: number, made: readonly UnitDays[], days: Days): Promise<ReasonedEntry[]> {
    const troubled = made.filter(({ entries }) => entries.some(isTrouble));
    const factsOf = await troubleFacts(troubles, farmId, troubled, days);
    const entries = await mapInTurns(
      made,
      (one) => one.reasoned ?? reasonedEntries(one, (entry) => factsOf(one, entry)),
    );
    return entries.flat().toSorted((one, other) => entryStart(one) - entryStart(other));
  }

  return {
    /** All that began, or was to begin, in [from, to), epoch ms; of one group or of all. */
    async read(farm: FarmRow, span: Span, groupUid: string | null, now: number): Promise<Diary> {
      const days: Days = {
        zone: wateringClock(farm),
        span,
        wide: { from: span.from - DAY, to: span.to + DAY },
      };
      const [units, groups] = await Promise.all([
        readUnits(farm.id, groupUid, days, now),
        repo.groups(farm.id),
      ]);
      const byName = units.toSorted((one, other) => compareNatural(one.unit.name, other.unit.name));
      const made = await withReports(farm.id, byName, days, now);
      const entries = await entriesOf(farm.id, made, days);
      const groupingsOf = new Map(made.map(({ unit, groupings }) => [unit.id, groupings]));
      return {
        units: made.map(({ unit }) => unit),
        groups,
        entries: groupUid === null ? entries : entries.filter((entry) => isOf(entry, groupUid)),
        groupingAt: ({ id }, at) => groupingAt(groupingsOf.get(id) ?? [], at),
      };
    },
  };
}
export type DiaryReader = ReturnType<typeof createDiaryReader>;

const isOf = ({ grouping }: ReasonedEntry, groupUid: string) =>
  grouping.groups.some(({ uid }) => uid === groupUid);
