import { isLately, type LastWatering } from '@headrace/contract/rules/attention';
import { troubleOrder, type WateringProof } from '@headrace/contract/irr-diary';
import { entryStart } from '@headrace/contract/rules/schedule/unit-diary';
import { atMost } from '../../at-most.ts';
import type { FarmRow } from '../../db/schema.ts';
import { createKept } from '../../kept.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import { CSV_HEAD, csvRows } from './diary-csv.ts';
import type { DiaryReader } from './diary-reader.ts';
import { farmDayText } from './farm-day-text.ts';
import { type LastTroubles, missedUnits, troublesOf } from './group-troubles.ts';
import { type LastRounds, PROOF_TROUBLES } from './last-rounds.ts';
import { settingOf, toLog } from './present-log.ts';
import { lineSums, toSums } from './present-sums.ts';
import { isTrouble, type ReasonedEntry } from './unit-days.ts';

/** Home pages ask of all farms at once, and a watering of a thousand sprinklers takes some 100 ms: who missed it is kept so long, ms. */
const MISSED_KEPT_MS = 5 * 60_000;
const KEPT_FARMS = 10_000;
/** The others wait, so that calls about one farm come between. */
const AT_A_TIME = 2;

interface Parts {
  readonly reader: DiaryReader;
  readonly rounds: LastRounds;
}

/** What the last watering day that is over came to. */
export function createLastWatering({ reader, rounds }: Parts) {
  const missed = createKept<LastWatering & { readonly at: number }>(KEPT_FARMS);
  const inTurn = atMost(AT_A_TIME);

  async function readRound(farm: FarmRow, now: Date) {
    const round = await rounds.last(farm, now.getTime());
    if (!round) return { round: null, entries: [], setting: settingOf([], farm.wal_config) };
    const { entries, groups } = await reader.read(farm, round, null, now.getTime());
    const iso = (at: number) => new Date(at).toISOString();
    const { from, to, startAt, endAt } = round;
    return {
      round: { from: iso(from), to: iso(to), startAt: iso(startAt), endAt: iso(endAt) },
      entries,
      setting: settingOf(groups, farm.wal_config),
    };
  }

  return {
    /** The last watering day that is over, by line. */
    async proof(farm: FarmRow, now: Date): Promise<WateringProof> {
      const { round, entries, setting } = await readRound(farm, now);
      return {
        round,
        ...toSums(entries, setting),
        missed: missedUnits(entries),
        lines: lineSums(entries, setting),
        troubles: worstOf(entries).map((entry) =>
          toLog(entry, farmDayText(toZone(farm), entryStart(entry)), setting),
        ),
      };
    },

    /** Of the last watering day that is over, by group, sprinklers that were missed or cut short, though nobody kept them from it. */
    async lastTroubles(farm: FarmRow, now: Date): Promise<LastTroubles | null> {
      const { round, entries } = await readRound(farm, now);
      return round && troublesOf(Date.parse(round.endAt), entries);
    },

    /** Who missed the last watering day that is over, as it was known within the last minutes; null: there was none lately. */
    async missedLately(farm: FarmRow, now: Date): Promise<LastWatering | null> {
      const at = now.getTime();
      const round = await rounds.last(farm, at);
      if (!round || !isLately(round, at)) return null;
      const { endAt } = round;
      const key = `${farm.id} ${endAt}`;
      const known = missed.get(key);
      if (known && Math.abs(at - known.at) < MISSED_KEPT_MS) return known;
      const { entries } = await inTurn(() => reader.read(farm, round, null, at));
      const found = { endAt, missed: missedUnits(entries), at };
      missed.set(key, found, 1);
      return found;
    },

    async proofFile(farm: FarmRow, now: Date): Promise<string> {
      const zone = toZone(farm);
      const { entries, setting } = await readRound(farm, now);
      const logs = entries.map((entry) => toLog(entry, farmDayText(zone, entryStart(entry)), setting));
      return CSV_HEAD + csvRows(logs, zone);
    },
  };
}

const worstOf = (entries: readonly ReasonedEntry[]) =>
  entries
    .filter((entry) => isTrouble(entry) && !entry.isKept)
    .toSorted((one, other) => rankOf(one) - rankOf(other))
    .slice(0, PROOF_TROUBLES);

const rankOf = ({ outcome }: ReasonedEntry) => troubleOrder.indexOf(outcome);
