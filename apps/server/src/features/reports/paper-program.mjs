// JavaScript, as Node 20 reads no types; they are in comments and checked. A program of its own: its memory, its collections and its helpers
// are none of the server's.
import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { fontUrls } from '@headrace/paper/fonts';
import { paperOfOrder } from '@headrace/paper/reports/paper-order';
import { writePdf } from '@headrace/paper/write-pdf';
import { yieldProcess } from '../../machine/yield-cores.mjs';
import { writePack } from './write-pack.mjs';

yieldProcess();
// Nobody is left who could take what it makes.
process.on('disconnect', () => process.exit());
// Ctrl-C in a terminal reaches this one too: the server ends it in its turn.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});

const fonts = { plain: readFileSync(fontUrls.plain), strong: readFileSync(fontUrls.strong) };
/** Who waits for what the server answers. @type {((answer: any) => void) | null} */
let waits = null;

process.on('message', (/** @type {any} */ said) => {
  if ('asked' in said) void make(said.asked);
  else waits?.(said.answer);
});

/** @param {any} asked */
async function make(asked) {
  try {
    say({ made: await (asked.kind === 'pack' ? pack(asked) : print(asked)) });
  } catch (failed) {
    say({ failed });
  }
}

/** @param {object} said */
const say = (said) => process.send?.(said);

/** @param {any} asked */
const print = (asked) => writePdf('kind' in asked ? paperOfOrder(asked) : asked, fonts, deflateSync);

/** @param {object} said @returns {Promise<any>} */
const ask = (said) =>
  new Promise((resolve) => {
    waits = resolve;
    say(said);
  });

/** @param {import('@headrace/paper/reports/pack-pages').PackOrder} asked */
const pack = (asked) =>
  writePack(asked, {
    next: () => ask({ wants: 'page' }),
    fonts,
    onStep: (part, text) => say({ part, text }),
    onMissing: (missing) => ask({ missing }),
  });
