import type { QueryOf } from '@headrace/contract/endpoint';
import {
  DIARY_DAYS,
  DIARY_PAGE,
  type DiaryDay,
  type DiaryFilter,
  type DiaryLog,
  type DiaryPage,
  type irrigationDiary,
  type irrigationDiaryFile,
  LATE_CLOSERS,
  type LateCloser,
} from '@headrace/contract/irr-diary';
import type { Timezone } from '@headrace/contract/farms';
import { addDays, dayStart, parseDay } from '@headrace/contract/rules/farm-time';
import { entryStart } from '@headrace/contract/rules/schedule/unit-diary';
import type { FarmRow } from '../../db/schema.ts';
import { invalid } from '../../http/errors.ts';
import type { Pieces } from '../../http/raw-reply.ts';
import { mapInTurns } from '../../jobs/in-turns.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import type { FlowService } from '../flow/flow.service.ts';
import { daysBetween } from '../series/history-range.ts';
import { appliedByGroup, type AppliedMm } from './applied-days.ts';
import { byKey } from './by-key.ts';
import { CSV_HEAD, csvRows } from './diary-csv.ts';
import type { Diary, DiaryReader } from './diary-reader.ts';
import { isTrouble, type ReasonedEntry } from './unit-days.ts';
import type { DiaryGroup, DiaryUnit } from './diary-units.repo.ts';
import { farmDayText } from './farm-day-text.ts';
import { worstFirst } from './late-units.ts';
import type { LastRounds } from './last-rounds.ts';
import { createLastWatering } from './last-watering.ts';
import { type Setting, settingOf, toLog } from './present-log.ts';
import { groupSums, toSums } from './present-sums.ts';

type Asked = QueryOf<typeof irrigationDiaryFile>;
type AskedPage = QueryOf<typeof irrigationDiary>;

export interface IrrDiaryParts {
  readonly reader: DiaryReader;
  readonly rounds: LastRounds;
  readonly flow: Pick<FlowService, 'litresByDay'>;
}

/** What groups were given on a day, YYYY-MM-DD. */
export interface AppliedDay {
  readonly day: string;
  readonly groups: readonly AppliedMm[];
}

/** Some days of the diary. */
export interface WateredDays {
  readonly units: readonly DiaryUnit[];
  readonly entries: readonly ReasonedEntry[];
}

/** A day of the diary. `start`: when it began, epoch ms. */
interface PresentedDay {
  readonly start: number;
  readonly day: string;
  readonly entries: readonly ReasonedEntry[];
  readonly units: readonly DiaryUnit[];
  readonly groups: readonly DiaryGroup[];
  readonly groupingAt: Diary['groupingAt'];
  readonly setting: Setting;
}

export function createIrrDiaryService({ reader, rounds, flow }: IrrDiaryParts) {
  /** The days from `last` back, so many that no page reads too much; the newest first. */
  async function readDays(farm: FarmRow, days: readonly number[], group: string | undefined, now: number) {
    const zone = toZone(farm);
    const [last, first] = [days[0], days.at(-1)];
    if (last === undefined || first === undefined) return [];
    const span = { from: first, to: addDays(zone, last, 1) };
    const { entries, ...diary } = await reader.read(farm, span, group ?? null, now);
    const setting = settingOf(diary.groups, farm.wal_config);
    const byDay = byKey(entries, (entry) => dayStart(zone, entryStart(entry)));
    return days.map(
      (start): PresentedDay => ({
        start,
        day: farmDayText(zone, start),
        entries: byDay.get(start) ?? [],
        ...diary,
        setting,
      }),
    );
  }

  /** All of these days, a few at a time. */
  async function* pages(farm: FarmRow, days: readonly number[], group: string | undefined, now: number) {
    const count = await rounds.daysAPage(farm.id, DIARY_PAGE.unitDays);
    for (let at = 0; at < days.length; at += count)
      yield await readDays(farm, days.slice(at, at + count), group, now);
  }

  async function daySums(farm: FarmRow, days: readonly PresentedDay[]): Promise<DiaryDay[]> {
    const [last, first] = [days[0], days.at(-1)];
    if (!last || !first) return [];
    const zone = toZone(farm);
    const meters = await flow.litresByDay(farm, { from: first.start, to: addDays(zone, last.start, 1) });
    const watered = days.filter(({ entries }) => entries.length > 0);
    return mapInTurns(watered, (day) => ({ ...sumsOf(day), meters: meters.get(day.start) ?? [] }));
  }

  return {
    ...createLastWatering({ reader, rounds }),

    /**
     * What was watered, the newest day first; a page has whole days or a part of one. Throws invalid for days that are none, or too many.
     */
    async page(farm: FarmRow, { after, group, outcome, ...asked }: AskedPage, now: Date): Promise<DiaryPage> {
      const zone = toZone(farm);
      const all = askedDays(zone, asked, now.getTime());
      const place = placeOf(zone, after);
      const days = place ? all.filter((start) => start <= place.start) : all;
      const count = await rounds.daysAPage(farm.id, DIARY_PAGE.unitDays);
      const told = await readDays(farm, days.slice(0, count), group, now.getTime());
      const cut = cutPage(told, outcome, place?.offset ?? 0);
      const fresh = told.slice(place && place.offset > 0 ? 1 : 0, cut.days);
      const older = days[cut.days];
      return {
        logs: cut.logs,
        days: await daySums(farm, fresh),
        next: cut.next ?? (older === undefined ? null : farmDayText(zone, older)),
      };
    },

    /** What the days come to, the newest first, without what each sprinkler did. Throws invalid as `page`. */
    async sums(farm: FarmRow, asked: Pick<Asked, 'start' | 'stop'>, now: Date): Promise<DiaryDay[]> {
      const days = askedDays(toZone(farm), asked, now.getTime());
      const sums: DiaryDay[] = [];
      for await (const told of pages(farm, days, undefined, now.getTime()))
        sums.push(...(await daySums(farm, told)));
      return sums;
    },

    /**
     * What the days come to, the newest first, and what went otherwise than planned and was no one's wish: the first `most`, and how
     * many there are. Each day is read once. Throws invalid as `page`.
     */
    async summary(
      farm: FarmRow,
      asked: Pick<Asked, 'start' | 'stop'>,
      most: number,
      now: Date,
    ): Promise<{ sums: DiaryDay[]; troubles: DiaryLog[]; troubleCount: number }> {
      const days = askedDays(toZone(farm), asked, now.getTime());
      const sums: DiaryDay[] = [];
      const troubles: DiaryLog[] = [];
      let troubleCount = 0;
      for await (const told of pages(farm, days, undefined, now.getTime())) {
        sums.push(...(await daySums(farm, told)));
        for (const { entries, day, setting } of told) {
          const found = entries.filter((entry) => isAsked(entry, 'troubles'));
          troubleCount += found.length;
          troubles.push(...found.slice(0, most - troubles.length).map((entry) => toLog(entry, day, setting)));
        }
      }
      return { sums, troubles, troubleCount };
    },

    /** What was and was to be on these days, as it is reckoned with; the newest days first, a few at a time. Throws invalid as `page`. */
    async *watered(
      farm: FarmRow,
      asked: Pick<Asked, 'start' | 'stop'>,
      now: Date,
    ): AsyncGenerator<WateredDays> {
      const days = askedDays(toZone(farm), asked, now.getTime());
      for await (const told of pages(farm, days, undefined, now.getTime()))
        yield { units: told[0]?.units ?? [], entries: told.flatMap(({ entries }) => entries) };
    },

    /** All of it, a few days at a time. */
    file(farm: FarmRow, { group, outcome, ...asked }: Asked, now: Date): Pieces {
      const days = askedDays(toZone(farm), asked, now.getTime());
      return async function* (over) {
        yield CSV_HEAD;
        for await (const told of pages(farm, days, group, now.getTime())) {
          const logs = told.flatMap((day) => logsOf(day, outcome));
          if (logs.length > 0) yield csvRows(logs, toZone(farm));
          if (over.aborted) return;
        }
      };
    },

    /** Who said to be open past its end in the last days, the worst first. */
    async lateClosers(farm: FarmRow, now: Date): Promise<LateCloser[]> {
      const zone = toZone(farm);
      const today = dayStart(zone, now.getTime());
      const days = Array.from({ length: LATE_CLOSERS.days }, (_none, back) => addDays(zone, today, -back));
      const told: PresentedDay[] = [];
      for await (const some of pages(farm, days, undefined, now.getTime())) told.push(...some);
      return worstFirst(told).slice(0, LATE_CLOSERS.most);
    },

    /** What each group was given on these days (when each began, epoch ms, the newest first); a few days at a time. */
    async applied(farm: FarmRow, days: readonly number[], now: number): Promise<AppliedDay[]> {
      const applied: AppliedDay[] = [];
      for await (const some of pages(farm, days, undefined, now))
        for (const told of some) {
          // Who was moved on that day belongs where it was at the end of it.
          const end = Math.min(now, addDays(toZone(farm), told.start, 1) - 1);
          applied.push({ day: told.day, groups: appliedByGroup(told, end, told.setting) });
        }
      return applied;
    },
  };
}
export type IrrDiaryService = ReturnType<typeof createIrrDiaryService>;

const sumsOf = ({ day, entries, setting }: PresentedDay) => ({
  day,
  ...toSums(entries, setting),
  groups: groupSums(entries, setting),
});

/** When each of the days began, the newest first. */
function askedDays(zone: Timezone, { start, stop }: Pick<Asked, 'start' | 'stop'>, now: number): number[] {
  const last = stop === undefined ? dayStart(zone, now) : parseDay(zone, stop);
  const usual = last === null ? undefined : farmDayText(zone, addDays(zone, last, 1 - DIARY_DAYS.usual));
  const range = daysBetween(zone, { name: 'start', text: start ?? usual }, { name: 'stop', text: stop }, now);
  if (range.days > DIARY_DAYS.most)
    throw invalid(`Ask for at most ${DIARY_DAYS.most} days at once.`, 'start');
  return Array.from({ length: range.days }, (_none, index) =>
    addDays(zone, range.from, range.days - 1 - index),
  );
}

/** The days that are asked for, YYYY-MM-DD, the oldest first. Throws invalid for days that are none, or too many. */
export const diaryDays = (farm: FarmRow, asked: Pick<Asked, 'start' | 'stop'>, now: Date): string[] =>
  askedDays(toZone(farm), asked, now.getTime())
    .map((start) => farmDayText(toZone(farm), start))
    .toReversed();

/** Where a page goes on: the day, and how many of its entries were told. */
function placeOf(zone: Timezone, after: string | undefined): { start: number; offset: number } | null {
  if (after === undefined) return null;
  const [day = '', offset = '0'] = after.split('.');
  const start = parseDay(zone, day);
  if (start === null) throw invalid('Must be `next` of the page before.', 'after');
  return { start, offset: Number(offset) };
}

/** As many entries as a page has, and how many days it is done with. */
function cutPage(told: readonly PresentedDay[], outcome: DiaryFilter | undefined, offset: number) {
  const logs: DiaryLog[] = [];
  for (const [index, day] of told.entries()) {
    const skipped = index === 0 ? offset : 0;
    const of = logsOf(day, outcome).slice(skipped);
    const room = DIARY_PAGE.entries - logs.length;
    // Full at the end of a day: the next page begins with this one, whole.
    if (room === 0 && of.length > 0) return { logs, days: index, next: null };
    logs.push(...of.slice(0, room));
    if (of.length > room) return { logs, days: index + 1, next: `${day.day}.${skipped + room}` };
  }
  return { logs, days: told.length, next: null };
}

const logsOf = ({ entries, day, setting }: PresentedDay, outcome: DiaryFilter | undefined): DiaryLog[] =>
  entries.filter((entry) => isAsked(entry, outcome)).map((entry) => toLog(entry, day, setting));

function isAsked(entry: ReasonedEntry, outcome: DiaryFilter | undefined): boolean {
  if (outcome === undefined) return true;
  return outcome === 'troubles' ? isTrouble(entry) && !entry.isKept : entry.outcome === outcome;
}
