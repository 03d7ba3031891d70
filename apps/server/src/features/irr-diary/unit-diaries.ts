import { setImmediate as breathe } from 'node:timers/promises';
import { diarySteadyUntil } from '@headrace/contract/rules/schedule/diary-steady';
import type { DiaryFactsRepo, PrintedFacts } from './diary-facts.repo.ts';
import { createKept } from '../../kept.ts';
import { type Days, type UnitDays, unitDays } from './unit-days.ts';

/** Sprinklers times days of all farms that are kept in memory: some 1.5 kB each, of a watering a day. A month of a thousand has room. */
const KEPT = 32_000;
const DAY = 86_400_000;
/** Sprinklers that are reckoned without a break. */
const AT_A_TIME = 50;

interface KeptUnit {
  readonly print: string;
  /** The same facts tell the same in [from, until), epoch ms. */
  readonly from: number;
  readonly until: number;
  readonly days: UnitDays;
  /** As many days as it takes the room of. */
  readonly size: number;
}

/**
 * The days of sprinklers, kept in memory. The database is asked each time what they are made of, so that nobody has to tell that it has
 * changed; only those of which it has, and those of which time tells more, are read and reckoned anew.
 */
export function createUnitDiaries(repo: Pick<DiaryFactsRepo, 'facts' | 'prints'>) {
  const farms = createKept<Map<number, KeptUnit>>(KEPT);

  return async (farmId: number, groupUid: string | null, days: Days, now: number): Promise<UnitDays[]> => {
    const asked = { farmId, groupUid, span: days.span, wide: days.wide };
    const key = JSON.stringify([farmId, days.span, days.zone]);
    const kept = farms.get(key) ?? new Map<number, KeptUnit>();
    const prints = kept.size > 0 ? await repo.prints(asked) : null;
    const found = new Map<number, UnitDays | null>();
    for (const [id, print] of prints ?? []) found.set(id, stillSo(kept.get(id), print, now));
    const stale = [...found].flatMap(([id, one]) => (one === null ? [id] : []));
    const read = prints && stale.length === 0 ? [] : await repo.facts(asked, prints && stale);
    let nth = 0;
    for (const [id, one] of read) {
      // Who asks for something else meanwhile doesn't wait for a month of a thousand sprinklers.
      nth += 1;
      if (nth % AT_A_TIME === 0) await breathe();
      const made = keep(one, days, now);
      kept.set(id, made);
      found.set(id, made.days);
    }
    farms.set(
      key,
      kept,
      [...kept.values()].reduce((sum, { size }) => sum + size, 0),
    );
    return [...found.values()].filter((one) => one !== null);
  };
}

const stillSo = (kept: KeptUnit | undefined, print: string, now: number): UnitDays | null =>
  kept && kept.print === print && now >= kept.from && now < kept.until ? kept.days : null;

function keep({ print, facts }: PrintedFacts, days: Days, now: number): KeptUnit {
  const made = unitDays(facts, days, now);
  const until = diarySteadyUntil(made.past, days.zone, days.span, now);
  return { print, from: now, until, days: made, size: sizeOf(made, days) };
}

/** A valve that chatters has more runs and entries than days. */
const sizeOf = ({ past, entries }: UnitDays, { span }: Days) =>
  Math.max(Math.ceil((span.to - span.from) / DAY), past.runs.length, entries.length);
