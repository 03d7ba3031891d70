import { type Fonts, fontUrls } from '@headrace/paper/fonts';
import type { PaperAnswer, PaperOrder } from './paper-worker.ts';
import type { ReportOrder } from './report-order.ts';

/** A phone with thousands of sprinklers takes its time; longer than that it has given up, ms. */
const LONGEST_MS = 120_000;

/** A report that was not made; its message says why. */
export class ReportFault extends Error {}

/** The report as a PDF, made in a worker: the page stays as quick as it is. Throws ReportFault. */
export async function makePdf(order: ReportOrder): Promise<Blob> {
  const [plain, strong] = await Promise.all([readFont(fontUrls.plain), readFont(fontUrls.strong)]);
  const pdf = await inWorker({ order, fonts: { plain, strong } });
  return new Blob([pdf], { type: 'application/pdf' });
}

async function readFont(url: URL): Promise<Fonts['plain']> {
  const failed = new ReportFault(
    "The report's font couldn't be loaded. Please check the connection and try again.",
  );
  const reply = await fetch(url).catch(() => null);
  if (!reply?.ok) throw failed;
  return new Uint8Array(await reply.arrayBuffer());
}

function inWorker(order: PaperOrder): Promise<Uint8Array<ArrayBuffer>> {
  const worker = new Worker(new URL('./paper-worker.ts', import.meta.url), { type: 'module' });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const made = new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
    const fail = (why: string) => reject(new ReportFault(`The report couldn't be made: ${why}`));
    timer = setTimeout(() => fail('it took more than two minutes.'), LONGEST_MS);
    worker.addEventListener('message', ({ data }: MessageEvent<PaperAnswer>) => {
      if ('pdf' in data) resolve(data.pdf);
      else fail(data.failed);
    });
    worker.addEventListener('error', () =>
      fail('what makes it could not be loaded. Please check the connection.'),
    );
    // A worker has no origin to name.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    worker.postMessage(order);
  });
  return made.finally(() => {
    clearTimeout(timer);
    worker.terminate();
  });
}
