import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Paper } from '@headrace/paper/paper';
import type { PackOrder } from '@headrace/paper/reports/pack-pages';
import type { PaperOrder } from '@headrace/paper/reports/paper-order';
import { LogTail } from '../../db/embedded/log-tail.ts';
import { givePages, type PackFeed, type PackSaid } from './give-pages.ts';

const PROGRAM = fileURLToPath(new URL('./paper-program.mjs', import.meta.url));
/** What V8 says before it ends the process. */
const OUT_OF_MEMORY = /heap out of memory/;

/** What a process may hold of objects, MB. `young`: of those that live for a moment, a third of the room for them. */
export interface ProcessMemory {
  readonly megabytes: number;
  readonly young: number;
}

/** What is to be made; a pack is made of its feed as well. */
export interface PaperJob {
  readonly asked: Paper | PaperOrder | PackOrder;
  readonly feed?: PackFeed;
}

/** It had no room left for objects. */
export class PaperTooLarge extends Error {}

/** A process that makes PDFs and packs, one after the other. */
export interface PaperProcess {
  /** Throws what it failed of, what the feed throws, PaperTooLarge, and how the process ended where it died. One that failed is of no use any more. */
  make(job: PaperJob): Promise<Uint8Array>;
  /** Resolves once it is gone, whatever it does. */
  end(): Promise<void>;
}

/** What the process says of its job. */
type Said = { readonly made: Uint8Array } | { readonly failed: Error } | PackSaid;

interface Waiting {
  readonly resolve: (made: Uint8Array) => void;
  readonly reject: (error: Error) => void;
  readonly hear: (said: PackSaid) => void;
}

/** `onEnd`: it has ended, whether it was told to or died. */
export function createPaperProcess(memory: ProcessMemory, onEnd: () => void): PaperProcess {
  const child = fork(PROGRAM, {
    execArgv: flagsOf(memory),
    // Files in a zip have the clock of the process that makes it.
    env: { TZ: new Intl.DateTimeFormat().resolvedOptions().timeZone },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const words = new LogTail();
  child.stderr?.setEncoding('utf8').on('data', (text: string) => words.push(text));
  let waiting: Waiting | null = null;
  const holdsUs = (holds: boolean) => {
    for (const one of [child, child.channel, child.stderr as { ref(): void; unref(): void } | null])
      if (holds) one?.ref();
      else one?.unref();
  };
  const done = (settle: (current: Waiting) => void) => {
    if (waiting) settle(waiting);
    waiting = null;
    holdsUs(false);
  };
  // One that rests keeps no process from ending.
  holdsUs(false);
  child.on('message', (said: Said) => {
    if ('made' in said) done(({ resolve }) => resolve(said.made));
    else if ('failed' in said) done(({ reject }) => reject(said.failed));
    else waiting?.hear(said);
  });
  const ended = (error: Error) => {
    onEnd();
    done(({ reject }) => reject(error));
  };
  // It can't be started, or not be told; what it said last has come by `close`.
  child.on('error', ended);
  const gone = new Promise<void>((resolve) => {
    child.once('close', (code, signal) => {
      ended(causeOf(code, signal, words.text()));
      resolve();
    });
    // Of one that was never started nothing closes.
    child.once('error', () => child.pid ?? resolve());
  });
  return {
    make: ({ asked, feed }) =>
      new Promise((resolve, reject) => {
        const given =
          feed && givePages(feed, { answer: (page) => child.send({ answer: page }), fail: reject });
        waiting = { resolve, reject, hear: (said) => given?.hear(said) };
        holdsUs(true);
        child.send({ asked });
      }),
    end() {
      child.kill('SIGKILL');
      return gone;
    },
  };
}

/** Collections in helper threads would not yield as the process itself does. */
const flagsOf = ({ megabytes, young }: ProcessMemory): string[] => [
  `--max-old-space-size=${megabytes}`,
  `--max-semi-space-size=${young}`,
  '--single-threaded-gc',
];

function causeOf(code: number | null, signal: NodeJS.Signals | null, words: string): Error {
  if (OUT_OF_MEMORY.test(words)) return new PaperTooLarge('A report had no room left in memory.');
  const how = signal ?? `code ${code}`;
  return new Error(`A report ended before it was made (${how}). ${words}`.trim());
}
