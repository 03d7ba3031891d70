import type { OperatingTimes } from '@headrace/contract/reports';
import type { Made } from '../made.ts';
import type { Paper } from '../paper.ts';
import { type DiaryData, diaryReport } from './diary-report.ts';
import { operatingTimeReport } from './operating-time-report.ts';

/** A report of thousands of rows by its figures: whoever draws it lays it out as well, so that nobody else waits for that. */
export type PaperOrder =
  | { readonly kind: 'operatingTime'; readonly data: OperatingTimes; readonly made: Made }
  | { readonly kind: 'diary'; readonly data: DiaryData; readonly made: Made };

export function paperOfOrder(order: PaperOrder): Paper {
  switch (order.kind) {
    case 'operatingTime':
      return operatingTimeReport(order.data, order.made).paper;
    case 'diary':
      return diaryReport(order.data, order.made).paper;
    default:
      return order satisfies never;
  }
}
