import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { callsText } from './calls.ts';
import { percentile } from './numbers.ts';
import { record } from './report.ts';
import type { Stand } from './stand.ts';

/** For so long it is asked in quiet, and beside the thread that burns a core: some 1,500 calls each, fifteen of them beyond the p99. */
const CONTROL_MS = 10_000;
/** How much longer others may wait (p99) than beside a thread that does nothing but take a core. */
const TIMES_LONGER = 1.2;
const [ASKER, BURNER] = [new URL('./asker.js', import.meta.url), new URL('./burner.js', import.meta.url)];

/** How long each small call took, ms: in quiet, and beside a thread that only burns a core and yields as the printer's does. */
export interface Control {
  readonly quiet: readonly number[];
  readonly burnt: readonly number[];
}

/** What a call waits here whoever works beside it: the system takes a core from who has it only at a tick (decision 338). */
export async function controlOf(stand: Stand): Promise<Control> {
  const quiet = await whileAsked(stand, () => pause(CONTROL_MS));
  const burner = new Worker(BURNER);
  const burnt = await whileAsked(stand, () => pause(CONTROL_MS));
  await burner.terminate();
  return { quiet, burnt };
}

/** Each asks from addresses of its own (`asker.ts`): so many calls at most are made in a minute. */
const ADDRESSES = 8;
let firstAddress = 2;

/** How long each small call took while the work went on, ms; asked in a thread of its own, so that nothing else that is done here counts. */
export async function whileAsked({ url }: Stand, work: () => Promise<unknown>): Promise<number[]> {
  const asker = new Worker(ASKER, { workerData: { url, firstAddress } });
  firstAddress = 2 + ((firstAddress - 2 + ADDRESSES) % (31 * ADDRESSES));
  // `once` throws what the thread died of.
  await once(asker, 'message');
  const asked = once(asker, 'message').then(([times]): number[] => times);
  try {
    await Promise.race([work(), asked]);
  } finally {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    asker.postMessage('over');
  }
  return asked;
}

/** What others waited meanwhile, beside the control. `mostMs`: none may wait longer. */
export function recordWaits(
  what: string,
  waits: readonly number[],
  { quiet, burnt }: Control,
  mostMs = Infinity,
): void {
  const [p99, longest] = [percentile(waits, 0.99), Math.max(...waits)];
  const ratio = p99 / percentile(burnt, 0.99);
  const ofQuiet = (p99 / percentile(quiet, 0.99)).toFixed(1);
  const none = Number.isFinite(mostMs) ? `, none over ${mostMs} ms` : '';
  record({
    what,
    value: `${callsText(waits)}, the longest ${longest.toFixed(0)} ms; beside a burnt core ${callsText(burnt)}; quiet ${callsText(quiet)} (${ofQuiet} times)`,
    ratio: ratio.toFixed(2),
    target: {
      text: `p99 at most ${TIMES_LONGER} times that of a burnt core${none}`,
      met: ratio <= TIMES_LONGER && longest <= mostMs,
    },
  });
}
