import { TRY_MS_PER_MINUTE } from '@headrace/contract/limits';
import { tooMany, tryAgain } from '../../http/errors.ts';
import { createFairTurns } from '../readings/fair-turns.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import type { CodecInput, SandboxOutcome } from './sandbox/sandbox-job.ts';

/** Runs what people try, one after the other, in turns that are fair between accounts. */
export interface TryQueue {
  /** Rejects with `tooMany` when the account has used its time of this minute, or others' tries take too long. */
  run(accountId: number, script: string, input: CodecInput | null): Promise<SandboxOutcome>;
}

interface Job {
  readonly accountId: number;
  /** An account's share is all that counts here. */
  readonly farmId: number;
  readonly start: () => Promise<void>;
  readonly giveUp: () => void;
}

const WAIT_MS = 10_000;
const WAITING_OF_AN_ACCOUNT = 5;
/** A try takes a few seconds at most; others' minutes are over after one. */
const AGAIN_MS = 5000;
const OTHERS_MS = 60_000;

export function createTryQueue(
  sandbox: Sandbox,
  { msPerMinute = TRY_MS_PER_MINUTE, waitMs = WAIT_MS } = {},
): TryQueue {
  const turns = createFairTurns({ msPerMinute: { farm: msPerMinute, account: msPerMinute } });
  const waiting = new Set<Job>();
  let isRunning = false;

  function pump(): void {
    const [next] = isRunning ? [] : turns.inTurn(waiting);
    if (!next) return;
    waiting.delete(next);
    isRunning = true;
    turns.begin(next);
    const started = performance.now();
    void next.start().finally(() => {
      turns.end(next, performance.now() - started);
      isRunning = false;
      for (const job of waiting) if (turns.restMs([job]) > 0) job.giveUp();
      pump();
    });
  }

  return {
    run(accountId, script, input) {
      const account = { farmId: accountId, accountId };
      const rest = turns.restMs([account]);
      const before = [...waiting].filter((job) => job.accountId === accountId).length;
      return new Promise((resolve, reject) => {
        if (rest > 0) return reject(restFor(rest));
        if (before >= WAITING_OF_AN_ACCOUNT)
          return reject(tooMany('Other tries of yours are still under way.', AGAIN_MS));
        const drop = (reason: Error) => {
          clearTimeout(timer);
          waiting.delete(job);
          reject(reason);
        };
        const timer = setTimeout(
          drop,
          waitMs,
          tooMany(`Many codecs are being tried at present. ${tryAgain(OTHERS_MS)}`, OTHERS_MS),
        );
        const job: Job = {
          ...account,
          giveUp: () => drop(restFor(turns.restMs([account]))),
          async start() {
            clearTimeout(timer);
            resolve(await sandbox.run(`try/${accountId}`, script, input));
          },
        };
        waiting.add(job);
        pump();
      });
    },
  };
}

const restFor = (ms: number) =>
  tooMany(`Your tries have used the ${TRY_MS_PER_MINUTE / 1000} seconds of this minute. ${tryAgain(ms)}`, ms);
