import {
  diarySummary,
  diarySummaryTable,
  historyTrendPdf,
  historyTrendTable,
  operatingTimePdf,
  operatingTimes,
  operatingTimeTable,
  tanksPdf,
  tanksTable,
} from '@headrace/contract/reports';
import type { Mount } from '../../http/mount.ts';
import type { Asking, ReportsService } from './reports.service.ts';

export function reportsRoutes(mount: Mount, reports: ReportsService): void {
  mount(diarySummary, (call) => reports.diaryPdf(askingOf(call), call.query));
  mount(diarySummaryTable, (call) => reports.diaryTable(askingOf(call), call.query));
  mount(operatingTimes, (call) => reports.operatingTimes(askingOf(call), call.query.scheduleID));
  mount(operatingTimePdf, (call) => reports.operatingTimePdf(askingOf(call), call.query.scheduleID));
  mount(operatingTimeTable, (call) => reports.operatingTimeTable(askingOf(call), call.query.scheduleID));
  mount(historyTrendPdf, (call) => reports.trendPdf(askingOf(call)));
  mount(historyTrendTable, (call) => reports.trendTable(askingOf(call)));
  mount(tanksPdf, (call) => reports.tanksPdf(askingOf(call), call.query));
  mount(tanksTable, (call) => reports.tanksTable(askingOf(call), call.query));
}

interface Call {
  readonly farm: Pick<Asking, 'farm'>;
  readonly caller: { readonly accountId: number };
  readonly now: Date;
  readonly gone: AbortSignal;
}
const askingOf = ({ farm, caller, now, gone }: Call): Asking => ({
  farm: farm.farm,
  accountId: caller.accountId,
  now,
  gone,
});
