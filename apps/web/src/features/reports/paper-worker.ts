import type { Fonts } from '@headrace/paper/fonts';
import { writePdf } from '@headrace/paper/write-pdf';
import { makeReport } from './make-report.ts';
import type { ReportOrder } from './report-order.ts';

export interface PaperOrder {
  readonly order: ReportOrder;
  readonly fonts: Fonts;
}
export type PaperAnswer = { readonly pdf: Uint8Array<ArrayBuffer> } | { readonly failed: string };

// A worker hears its own page alone.
addEventListener('message', ({ data: { order, fonts } }: MessageEvent<PaperOrder>) => {
  writePdf(makeReport(order).paper, fonts).then(
    (pdf) => postMessage({ pdf }),
    (error: unknown) => postMessage({ failed: String(error) } satisfies PaperAnswer),
  );
});
