// oxlint-disable unicorn/require-post-message-target-origin -- a thread's port has no origin
import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { deflateSync } from 'node:zlib';
import { fontUrls } from '@headrace/paper/fonts';
import { paperOfOrder } from '@headrace/paper/reports/paper-order';
import { writePdf } from '@headrace/paper/write-pdf';
import { yieldCores } from '../../machine/yield-cores.mjs';
import { writePack } from './write-pack.mjs';

yieldCores();
const fonts = { plain: readFileSync(fontUrls.plain), strong: readFileSync(fontUrls.strong) };
/** One report after the other. One that fails ends the thread, and whoever waits for it hears why. */
parentPort?.on('message', (job) => void make(job));

/** @param {import('./paper-thread.ts').PaperJob} job */
async function make({ asked, pages }) {
  const made = pages ? await pack(asked, pages) : await print(asked);
  parentPort?.postMessage(made, [/** @type {ArrayBuffer} */ (made.buffer)]);
}

/** @param {any} asked */
const print = (asked) => writePdf('kind' in asked ? paperOfOrder(asked) : asked, fonts, deflateSync);

/** @param {any} asked @param {import('node:worker_threads').MessagePort} port */
const pack = (asked, port) => {
  /** @param {object | null} said @returns {Promise<any>} */
  const ask = (said) =>
    new Promise((resolve) => {
      port.once('message', resolve);
      port.postMessage(said);
    });
  return writePack(asked, {
    next: () => ask(null),
    fonts,
    onStep: (part, text) => port.postMessage({ part, text }),
    onMissing: (missing) => ask({ missing }),
  });
};
