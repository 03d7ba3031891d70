import { fork } from 'node:child_process';
import { LogTail } from '../db/embedded/log-tail.ts';

/** What V8 says before it ends the process. */
const OUT_OF_MEMORY = /heap out of memory/;

/** What a process may hold of objects, MB. `young`: of those that live for a moment, a third of the room for them. */
export interface ProcessMemory {
  readonly megabytes: number;
  readonly young: number;
}

/** It had no room left for objects. */
export class OutOfRoom extends Error {}

/** A process beside the server's that makes one thing after the other: its memory, its collections and its helpers are none of the server's. */
export interface OwnProcess<Said extends object> {
  /**
   * What is made of it; `hear` is told all else that the process says meanwhile. Throws what it failed of, OutOfRoom, and how the process
   * ended where it died. One that failed is of no use any more.
   */
  make<Made>(asked: unknown, hear?: (said: Said) => void): Promise<Made>;
  /** What it waits for while it makes something. */
  answer(given: unknown): void;
  /** Resolves once it is gone, whatever it does. */
  end(): Promise<void>;
}

interface Waiting<Said> {
  readonly resolve: (made: never) => void;
  readonly reject: (error: Error) => void;
  readonly hear: (said: Said) => void;
}
type Ended = { readonly made: never } | { readonly failed: Error };

/** `what` it makes one of, as "A report". `onEnd`: it has ended, whether it was told to or died. */
export function createOwnProcess<Said extends object>(
  program: string,
  { what, memory, onEnd }: { what: string; memory: ProcessMemory; onEnd: () => void },
): OwnProcess<Said> {
  const child = fork(program, {
    execArgv: flagsOf(memory),
    // Files in a zip have the clock of the process that makes it.
    env: { TZ: new Intl.DateTimeFormat().resolvedOptions().timeZone },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const words = new LogTail();
  child.stderr?.setEncoding('utf8').on('data', (text: string) => words.push(text));
  let waiting: Waiting<Said> | null = null;
  const holdsUs = (holds: boolean) => {
    for (const one of [child, child.channel, child.stderr as { ref(): void; unref(): void } | null])
      if (holds) one?.ref();
      else one?.unref();
  };
  const done = (settle: (current: Waiting<Said>) => void) => {
    if (waiting) settle(waiting);
    waiting = null;
    holdsUs(false);
  };
  // One that rests keeps no process from ending.
  holdsUs(false);
  child.on('message', (said: Ended | Said) => {
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
      ended(causeOf(what, signal ?? `code ${code}`, words.text()));
      resolve();
    });
    // Of one that was never started nothing closes.
    child.once('error', () => child.pid ?? resolve());
  });
  return {
    make: (asked, hear = () => {}) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject, hear };
        holdsUs(true);
        child.send({ asked });
      }),
    answer: (given) => void child.send({ answer: given }),
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

function causeOf(what: string, how: string, words: string): Error {
  if (OUT_OF_MEMORY.test(words)) return new OutOfRoom(`${what} had no room left in memory.`);
  return new Error(`${what} ended before it was made (${how}). ${words}`.trim());
}
