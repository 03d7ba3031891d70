import { diarySummary, diarySummaryTable } from '@headrace/contract/reports';
import type { Mount } from '../../http/mount.ts';
import type { ReportsService } from './reports.service.ts';

export function reportsRoutes(mount: Mount, reports: ReportsService): void {
  mount(diarySummary, ({ farm, caller, query, now }) =>
    reports.diaryPdf({ farm: farm.farm, accountId: caller.accountId, now }, query),
  );
  mount(diarySummaryTable, ({ farm, caller, query, now }) =>
    reports.diaryTable({ farm: farm.farm, accountId: caller.accountId, now }, query),
  );
}
