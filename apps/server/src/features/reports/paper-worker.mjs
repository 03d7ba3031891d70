import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { fontUrls } from '@headrace/paper/fonts';
import { writePdf } from '@headrace/paper/write-pdf';
import { yieldCores } from '../../machine/yield-cores.mjs';

yieldCores();
const fonts = { plain: readFileSync(fontUrls.plain), strong: readFileSync(fontUrls.strong) };
/** One report after the other. One that fails ends the thread, and whoever waits for it hears why. */
parentPort?.on('message', async (paper) => {
  const pdf = await writePdf(paper, fonts);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(pdf, [/** @type {ArrayBuffer} */ (pdf.buffer)]);
});
