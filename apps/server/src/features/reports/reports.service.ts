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
import { operatingTimeReport } from '@headrace/paper/reports/operating-time-report';
import { tanksReport } from '@headrace/paper/reports/tanks-report';
import { trendReport } from '@headrace/paper/reports/trend-report';
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

/** What a report is asked for with. */
export interface Asking {
  readonly farm: FarmRow;
  readonly accountId: number;
  readonly now: Date;
}
type Days = Pick<QueryOf<typeof diarySummary>, 'start' | 'stop'>;
/** A report as a file. */
interface Named {
  readonly fileName: string;
  readonly content: string | Uint8Array;
}

/** Both of its files have this name. */
interface ReportFile {
  readonly report: Report;
  readonly name: string;
}

interface Parts {
  readonly repo: ReportsRepo;
  readonly diary: Pick<IrrDiaryService, 'summary' | 'sums'>;
  readonly health: Pick<HealthService, 'trend'>;
  readonly tanks: Pick<TanksService, 'days'>;
  readonly operatingTimes: OperatingTimesReader;
  readonly printer: Printer;
}

export function createReportsService({ repo, diary, health, tanks, operatingTimes, printer }: Parts) {
  async function madeBy({ farm, accountId, now }: Asking): Promise<Made> {
    const by = await repo.personName(accountId);
    return { farm: farm.name, zone: toZone(farm), by, at: now.getTime() };
  }

  async function diaryOf({ farm, now }: Asking, asked: Days): Promise<DiaryData> {
    const days = diaryDays(farm, asked, now);
    const { sums, ...troubles } = await diary.summary(farm, asked, TROUBLES_ON_PAPER, now);
    const [start = '', stop = start] = [days[0], days.at(-1)];
    return { start, stop, days, sums: sums.toReversed(), ...troubles };
  }

  async function diaryFile(asking: Asking, asked: Days): Promise<ReportFile> {
    const [data, made] = await Promise.all([diaryOf(asking, asked), madeBy(asking)]);
    return { report: diaryReport(data, made), name: nameOf(data.days) };
  }

  async function operatingTimeFile(asking: Asking, setUid: string): Promise<ReportFile> {
    const [times, made] = await Promise.all([
      operatingTimes.of(asking.farm, setUid, asking.now),
      madeBy(asking),
    ]);
    return { report: operatingTimeReport(times, made), name: `operating-time-${fileWord(times.name)}` };
  }

  async function trendFile(asking: Asking): Promise<ReportFile> {
    const { farm, now } = asking;
    const [weeks, made] = await Promise.all([health.trend(farm, now), madeBy(asking)]);
    return { report: trendReport(weeks, made), name: `history-trend-${fileWord(farm.name)}` };
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
    return { report: tanksReport({ start: from, stop: to, tanks: all }, made), name: `tanks-${from}-${to}` };
  }

  const onPaper = async ({ report, name }: ReportFile): Promise<Named> => ({
    fileName: `${name}.pdf`,
    content: await printer.print(report.paper),
  });
  const asTable = ({ report, name }: ReportFile): Named => ({ fileName: `${name}.csv`, content: report.csv });

  return {
    operatingTimes: (farm: FarmRow, setUid: string, now: Date): Promise<OperatingTimes> =>
      operatingTimes.of(farm, setUid, now),

    operatingTimePdf: async (asking: Asking, setUid: string) =>
      onPaper(await operatingTimeFile(asking, setUid)),
    operatingTimeTable: async (asking: Asking, setUid: string) =>
      asTable(await operatingTimeFile(asking, setUid)),

    trendPdf: async (asking: Asking) => onPaper(await trendFile(asking)),
    trendTable: async (asking: Asking) => asTable(await trendFile(asking)),

    tanksPdf: async (asking: Asking, asked: Days) => onPaper(await tanksFile(asking, asked)),
    tanksTable: async (asking: Asking, asked: Days) => asTable(await tanksFile(asking, asked)),

    diaryPdf: async (asking: Asking, asked: Days) => onPaper(await diaryFile(asking, asked)),

    async diaryTable({ farm, now }: Asking, asked: Days): Promise<Named> {
      const name = nameOf(diaryDays(farm, asked, now));
      const sums = await diary.sums(farm, asked, now);
      return { fileName: `${name}.csv`, content: diaryTable(sums.toReversed()) };
    },
  };
}

const nameOf = (days: readonly string[]) => `irrigation-diary-${days[0] ?? ''}-${days.at(-1) ?? ''}`;

export type ReportsService = ReturnType<typeof createReportsService>;
