import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { fontUrls } from '@headrace/paper/fonts';
import { paperOfOrder } from '@headrace/paper/reports/paper-order';
import { writePdf } from '@headrace/paper/write-pdf';
import { yieldCores } from '../../machine/yield-cores.mjs';

yieldCores();
const fonts = { plain: readFileSync(fontUrls.plain), strong: readFileSync(fontUrls.strong) };
/** One report after the other. One that fails ends the thread, and whoever waits for it hears why. */
parentPort?.on('message', (asked) => void print(asked));

/** @param {any} asked */
async function print(asked) {
  const pdf = await writePdf('kind' in asked ? paperOfOrder(asked) : asked, fonts);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(pdf, [/** @type {ArrayBuffer} */ (pdf.buffer)]);
}
