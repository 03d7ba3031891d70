import type { QueryOf } from '@headrace/contract/endpoint';
import { type diarySummary, type OperatingTimes, TANK_DAYS } from '@headrace/contract/reports';
import { addDays, dayStart, parseDay } from '@headrace/contract/rules/farm-time';
import { fileWord } from '@headrace/contract/rules/files/file-word';
import type { Made, Report } from '@headrace/paper/made';
import {
  type DiaryData,
  diaryReport,
  diaryTable,
  TROUBLES_ON_PAPER,
} from '@headrace/paper/reports/diary-report';
import type { Paper } from '@headrace/paper/paper';
import { operatingTimeReport } from '@headrace/paper/reports/operating-time-report';
import type { PaperOrder } from '@headrace/paper/reports/paper-order';
import { tanksReport } from '@headrace/paper/reports/tanks-report';
import { trendReport } from '@headrace/paper/reports/trend-report';
import { atMost } from '../../at-most.ts';
import type { FarmRow } from '../../db/schema.ts';
import { invalid } from '../../http/errors.ts';
import { dayText } from '../farm-clock/day-text.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import { diaryDays, type IrrDiaryService } from '../irr-diary/irr-diary.service.ts';
import type { HealthService } from '../health/health.service.ts';
import { daysBetween } from '../series/history-range.ts';
import type { TanksService } from '../tanks/tanks.service.ts';
import type { OperatingTimesReader } from './operating-times.ts';
import type { Printer } from './printer.ts';
import type { ReportsRepo } from './reports.repo.ts';
import { createShared } from './shared.ts';

/** What a report is asked for with. */
export interface Asking {
  readonly farm: FarmRow;
  readonly accountId: number;
  readonly now: Date;
  /** Aborted when nobody wants it any more. */
  readonly gone: AbortSignal;
}
type Days = Pick<QueryOf<typeof diarySummary>, 'start' | 'stop'>;
/** A report as a file. */
interface Named {
  readonly fileName: string;
  readonly content: string | Uint8Array;
}

/** Both of its files have this name. */
interface ReportFile {
  readonly name: string;
  readonly paper: Paper | PaperOrder;
  readonly csv: () => string;
}

interface Parts {
  readonly repo: ReportsRepo;
  readonly diary: Pick<IrrDiaryService, 'summary' | 'sums'>;
  readonly health: Pick<HealthService, 'trend'>;
  readonly tanks: Pick<TanksService, 'days'>;
  readonly operatingTimes: OperatingTimesReader;
  readonly printer: Printer;
}

/** Months of so many farms are reckoned at a time: each lets others go first in between, but twenty at once leave little in between. */
const RECKONED_AT_ONCE = 2;

export function createReportsService({ repo, diary, health, tanks, operatingTimes, printer }: Parts) {
  const inTurn = atMost(RECKONED_AT_ONCE);
  const shareTimes = createShared<OperatingTimes>();
  const shareDiary = createShared<DiaryData>();

  const timesOf = <R>(
    { farm, now }: Pick<Asking, 'farm' | 'now'>,
    setUid: string,
    use: (times: OperatingTimes) => R | Promise<R>,
  ): Promise<R> =>
    shareTimes(
      `${farm.id} ${setUid.toLowerCase()}`,
      () => inTurn(() => operatingTimes.of(farm, setUid, now)),
      use,
    );

  async function madeBy({ farm, accountId, now }: Asking): Promise<Made> {
    const by = await repo.personName(accountId);
    return { farm: farm.name, zone: toZone(farm), by, at: now.getTime() };
  }

  function diaryOf<R>(asking: Asking, asked: Days, use: (data: DiaryData) => Promise<R>): Promise<R> {
    const days = diaryDays(asking.farm, asked, asking.now);
    const key = `${asking.farm.id} ${days[0]} ${days.at(-1)}`;
    return shareDiary(key, () => inTurn(() => readDiary(asking, asked, days)), use);
  }

  async function readDiary({ farm, now }: Asking, asked: Days, days: string[]): Promise<DiaryData> {
    const { sums, ...troubles } = await diary.summary(farm, asked, TROUBLES_ON_PAPER, now);
    const [start = '', stop = start] = [days[0], days.at(-1)];
    return { start, stop, days, sums: sums.toReversed(), ...troubles };
  }

  async function diaryFile(asking: Asking, data: DiaryData): Promise<ReportFile> {
    const made = await madeBy(asking);
    return fileOf(nameOf(data.days), { kind: 'diary', data, made }, () => diaryReport(data, made).csv);
  }

  async function operatingTimeFile(asking: Asking, times: OperatingTimes): Promise<ReportFile> {
    const made = await madeBy(asking);
    return fileOf(
      `operating-time-${fileWord(times.name)}`,
      { kind: 'operatingTime', data: times, made },
      () => operatingTimeReport(times, made).csv,
    );
  }

  async function trendFile(asking: Asking): Promise<ReportFile> {
    const { farm, now } = asking;
    const [weeks, made] = await Promise.all([health.trend(farm, now), madeBy(asking)]);
    return reportFile(`history-trend-${fileWord(farm.name)}`, trendReport(weeks, made));
  }

  /** Throws invalid for days that are none, or too many. */
  async function tanksFile(asking: Asking, { start, stop }: Days): Promise<ReportFile> {
    const { farm, now } = asking;
    const zone = toZone(farm);
    const last = (stop === undefined ? null : parseDay(zone, stop)) ?? dayStart(zone, now.getTime());
    const usual = dayText(zone, addDays(zone, last, 1 - TANK_DAYS.usual));
    const range = daysBetween(
      zone,
      { name: 'start', text: start ?? usual },
      { name: 'stop', text: stop },
      now.getTime(),
    );
    if (range.days > TANK_DAYS.most)
      throw invalid(`Ask for at most ${TANK_DAYS.most} days at once.`, 'start');
    const [all, made] = await Promise.all([tanks.days(farm, range), madeBy(asking)]);
    const [from, to] = [dayText(zone, range.from), dayText(zone, range.to - 1)];
    return reportFile(`tanks-${from}-${to}`, tanksReport({ start: from, stop: to, tanks: all }, made));
  }

  /** What draws it starts while it is read. */
  function prepared<R>(make: () => R): R {
    printer.prepare();
    return make();
  }
  const onPaper = async ({ name, paper }: ReportFile, { gone }: Asking): Promise<Named> => ({
    fileName: `${name}.pdf`,
    content: await printer.print(paper, gone),
  });
  const asTable = ({ name, csv }: ReportFile): Named => ({ fileName: `${name}.csv`, content: csv() });

  return {
    operatingTimes: (asking: Pick<Asking, 'farm' | 'now'>, setUid: string): Promise<OperatingTimes> =>
      timesOf(asking, setUid, (times) => times),

    operatingTimePdf: (asking: Asking, setUid: string) =>
      prepared(() =>
        timesOf(asking, setUid, async (times) => onPaper(await operatingTimeFile(asking, times), asking)),
      ),
    operatingTimeTable: (asking: Asking, setUid: string) =>
      timesOf(asking, setUid, async (times) => asTable(await operatingTimeFile(asking, times))),

    trendPdf: (asking: Asking) => prepared(async () => onPaper(await trendFile(asking), asking)),
    trendTable: async (asking: Asking) => asTable(await trendFile(asking)),

    tanksPdf: (asking: Asking, asked: Days) =>
      prepared(async () => onPaper(await tanksFile(asking, asked), asking)),
    tanksTable: async (asking: Asking, asked: Days) => asTable(await tanksFile(asking, asked)),

    diaryPdf: async (asking: Asking, asked: Days) =>
      prepared(() => diaryOf(asking, asked, async (data) => onPaper(await diaryFile(asking, data), asking))),

    async diaryTable({ farm, now }: Asking, asked: Days): Promise<Named> {
      const name = nameOf(diaryDays(farm, asked, now));
      const sums = await diary.sums(farm, asked, now);
      return { fileName: `${name}.csv`, content: diaryTable(sums.toReversed()) };
    },
  };
}

const fileOf = (name: string, paper: ReportFile['paper'], csv: () => string): ReportFile => ({
  name,
  paper,
  csv,
});
const reportFile = (name: string, { paper, csv }: Report) => fileOf(name, paper, () => csv);
const nameOf = (days: readonly string[]) => `irrigation-diary-${days[0] ?? ''}-${days.at(-1) ?? ''}`;

export type ReportsService = ReturnType<typeof createReportsService>;
