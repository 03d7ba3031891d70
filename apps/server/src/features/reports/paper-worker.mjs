import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { fontUrls } from '@headrace/paper/fonts';
import { writePdf } from '@headrace/paper/write-pdf';
import { yieldCores } from '../../machine/yield-cores.mjs';

yieldCores();
/** One report, and the thread ends. */
const fonts = { plain: readFileSync(fontUrls.plain), strong: readFileSync(fontUrls.strong) };
const pdf = await writePdf(workerData, fonts);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(pdf);
