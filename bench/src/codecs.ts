import { createSandbox } from '@headrace/server/dist/features/codecs/sandbox/sandbox.js';
import { median, perSecond, timed } from './numbers.ts';
import { record } from './report.ts';

const MESSAGES = 1000;
const RUNS = 3;
/** Of a farm and its neighbours; of the largest there are few. */
const CODECS = { 1: 35, 32: 35, 200: 10 } as const;
type KiB = keyof typeof CODECS;
const input = {
  bytes: [2, 7, 217, 0, 3, 144, 136, 129, 0, 100],
  fPort: 1,
  recvTime: '2026-01-14T18:04:15.775Z',
};

/** Messages that one thread decodes in a second, by the size of the script; against reading the script for each, as another for each does. */
export async function benchCodecs(): Promise<void> {
  const sandbox = createSandbox({ threads: 1, queueMs: 600_000, queueLength: MESSAGES });
  const decode = (scripts: readonly string[]) =>
    timed(() => Promise.all(scripts.map((script, n) => sandbox.run(`farm ${n % 35}`, script, input))));
  try {
    for (const kib of [1, 32, 200] as const) {
      const script = scriptOf(kib);
      const once = Array.from({ length: MESSAGES }, () => script);
      const anew = Array.from({ length: MESSAGES / 20 }, (_, n) => `${script}// ${kib} ${n}`);
      const many = Array.from({ length: MESSAGES }, (_, n) => `${script}// codec ${n % CODECS[kib]}`);
      await decode(many);
      const rates = { once: [] as number[], anew: [] as number[], many: [] as number[] };
      for (let run = 0; run < RUNS; run += 1) {
        rates.once.push(perSecond(once.length, await decode(once)));
        rates.many.push(perSecond(many.length, await decode(many)));
        rates.anew.push(perSecond(anew.length, await decode(anew.map((text) => `${text} ${run}`))));
      }
      report(kib, median(rates.once), median(rates.many), median(rates.anew));
    }
  } finally {
    await sandbox.close();
  }
}

function report(kib: KiB, once: number, many: number, anew: number): void {
  record({ what: `messages decoded, script of ${kib} KiB read for each`, value: `${anew} messages/s` });
  const ratio = once / anew;
  record({
    what: 'the same, read once',
    value: `${once} messages/s`,
    ratio: ratio.toFixed(1),
    ...(kib > 100 && { gate: { text: '5 times as many', met: ratio >= 5 } }),
  });
  record({
    what: `the same, ${CODECS[kib]} such codecs in turn`,
    value: `${many} messages/s`,
    ratio: (many / anew).toFixed(1),
  });
}

/** As published scripts are: many small functions, tables of words, one of them called. */
function scriptOf(kib: number): string {
  const block = (n: number) => `function read${n}(bytes, at) {
  var words = { 0: 'closed', 1: 'open', 2: 'unknown ${n}' };
  var value = (bytes[at] << 8) | bytes[at + 1];
  if (value & 0x8000) value -= 0x10000;
  return { state: words[value % 3] || 'none', value: value / ${n + 10}, unit: 'V' };
}
`;
  const head = `function decodeUplink(input) {
  var data = {};
  for (var at = 0; at + 1 < input.bytes.length; at += 2) data['value' + at] = read0(input.bytes, at);
  return { data: data };
}
`;
  let script = head;
  for (let n = 0; n === 0 || script.length < kib * 1024; n += 1) script += block(n);
  return script;
}
