import { diarySteadyUntil } from '@headrace/contract/rules/schedule/diary-steady';
import { mapInTurns } from '../../jobs/in-turns.ts';
import type { DiaryFactsRepo, PrintedFacts } from './diary-facts.repo.ts';
import { createKept } from '../../kept.ts';
import { type Days, type UnitDays, unitDays } from './unit-days.ts';

/**
 * Sprinklers times days of all farms that are kept in memory: some 1.5 kB each, of a watering a day. A month of a thousand has room, which
 * is read three days at a time with the runs of the day before and after: 50,000. With less each part of it would push out the next.
 */
const KEPT = 54_000;
const DAY = 86_400_000;

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
    await mapInTurns([...read], ([id, one]) => {
      const made = keep(one, days, now);
      kept.set(id, made);
      found.set(id, made.days);
    });
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
