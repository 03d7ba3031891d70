import type { Report } from '@headrace/paper/made';
import { commsReport } from '@headrace/paper/reports/comms-report';
import { healthReport } from '@headrace/paper/reports/health-report';
import { proofReport } from '@headrace/paper/reports/proof-report';
import { statusReport } from '@headrace/paper/reports/status-report';
import type { ReportOrder } from './report-order.ts';

/** The report as data, and its table. */
export function makeReport(order: ReportOrder): Report {
  switch (order.kind) {
    case 'status':
      return statusReport(order.data, order.made);
    case 'health':
      return healthReport(order.data, order.made);
    case 'comms':
      return commsReport(order.data, order.made);
    case 'proof':
      return proofReport(order.data, order.made);
    default:
      return order satisfies never;
  }
}
