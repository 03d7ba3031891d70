import { vi } from 'vitest';
import type { PaperAnswer, PaperOrder } from './paper-worker.ts';
import type { ReportOrder } from './report-order.ts';

/** Fonts that are there, and a worker that answers as it is told: what it makes is tested in packages/paper, and in a browser by a journey. */
export function fakePaper(
  answer: PaperAnswer | Promise<PaperAnswer> | 'no font' = { pdf: new Uint8Array([37, 80, 68, 70]) },
): ReportOrder[] {
  const orders: ReportOrder[] = [];
  class FakeWorker extends EventTarget {
    postMessage({ order }: PaperOrder): void {
      orders.push(order);
      const tell = (data: PaperAnswer | 'no font') =>
        this.dispatchEvent(new MessageEvent('message', { data }));
      if (answer instanceof Promise) void answer.then(tell);
      else tell(answer);
    }
    terminate(): void {}
  }
  vi.stubGlobal('Worker', FakeWorker);
  const api = globalThis.fetch;
  vi.stubGlobal('fetch', (asked: string | URL, init?: RequestInit) =>
    asked.toString().endsWith('.ttf')
      ? Promise.resolve(new Response('font', { status: answer === 'no font' ? 503 : 200 }))
      : api(asked, init),
  );
  return orders;
}
