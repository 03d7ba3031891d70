// JavaScript, as Node 20 reads no types; they are in comments and checked.
import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { fontUrls } from '@headrace/paper/fonts';
import { paperOfOrder } from '@headrace/paper/reports/paper-order';
import { writePdf } from '@headrace/paper/write-pdf';
import { ask, runOwnProgram, say } from '../../machine/own-program.mjs';
import { writePack } from './write-pack.mjs';

const fonts = { plain: readFileSync(fontUrls.plain), strong: readFileSync(fontUrls.strong) };

runOwnProgram((asked) => (asked.kind === 'pack' ? pack(asked) : print(asked)));

/** @param {any} asked */
const print = (asked) => writePdf('kind' in asked ? paperOfOrder(asked) : asked, fonts, deflateSync);

/** @param {import('@headrace/paper/reports/pack-pages').PackOrder} asked */
const pack = (asked) =>
  writePack(asked, {
    next: () => ask({ wants: 'page' }),
    fonts,
    onStep: (part, text) => say({ part, text }),
    onMissing: (missing) => ask({ missing }),
  });
