// JavaScript, as Node 20 reads no types; they are in comments and checked.
import { yieldProcess } from './yield-cores.mjs';

/** What a process of one's own does: `createOwnProcess` asks it. @param {(asked: any) => unknown} make */
export function runOwnProgram(make) {
  yieldProcess();
  // Nobody is left who could take what it makes.
  process.on('disconnect', () => process.exit());
  // Ctrl-C in a terminal reaches this one too: the server ends it in its turn.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
  process.on('message', (/** @type {any} */ said) => {
    if ('asked' in said) void answer(said.asked);
    else waits?.(said.answer);
  });

  /** @param {unknown} asked */
  async function answer(asked) {
    try {
      say({ made: await make(asked) });
    } catch (failed) {
      say({ failed });
    }
  }
}

/** Who waits for what the server answers. @type {((answer: any) => void) | null} */
let waits = null;

/** Tells the server something. @param {object} said */
export const say = (said) => process.send?.(said);

/** Tells the server something, and waits for its answer. @param {object} said @returns {Promise<any>} */
export const ask = (said) =>
  new Promise((resolve) => {
    waits = resolve;
    say(said);
  });
