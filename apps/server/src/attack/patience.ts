import { setTimeout as pause } from 'node:timers/promises';
import type { Call } from './hostile-calls.ts';
import type { Answer } from './judge.ts';
import type { Target } from './target.ts';

export type Sleep = (ms: number) => Promise<unknown>;

/** Longer than that is a limit of a day: waiting doesn't help, s. */
const WAIT_MAX_S = 130;
/** Of one call: other programs at the same address may ask too. */
const TRIES = 3;

/** Sends calls, and waits where the server says that they were too many: so long in all. */
export function createPatience(target: Target, mostMs: number, sleep: Sleep = pause) {
  let leftMs = mostMs;
  const counts = { sent: 0, taken: 0, refused: 0 };
  return {
    counts,
    /** Still 429 where waiting would take too long. */
    async send(key: string, call: Call, token: string | null): Promise<Answer> {
      for (let tried = 1; ; tried += 1) {
        const answer = await target.send(key, call, token);
        const waitMs = (answer.retryAfterS ?? WAIT_MAX_S) * 1000;
        const isOver = tried === TRIES || waitMs > leftMs || waitMs > WAIT_MAX_S * 1000;
        if (answer.status !== 429 || isOver) {
          counts.sent += 1;
          if (answer.status < 300) counts.taken += 1;
          else if (answer.status < 500) counts.refused += 1;
          return answer;
        }
        leftMs -= waitMs;
        await sleep(waitMs);
      }
    },
  };
}
export type Patience = ReturnType<typeof createPatience>;
