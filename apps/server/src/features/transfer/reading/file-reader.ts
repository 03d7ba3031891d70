import { Worker } from 'node:worker_threads';
import type { ImportType } from '@headrace/contract/imports';
import { tooMany } from '../../../http/errors.ts';
import { createTurns } from '../../../http/turns.ts';
import { inTurns } from '../../../jobs/in-turns.ts';
import { fill, nothing, type Piece } from './content-pieces.mjs';
import type { ReadJob, ReadOutcome } from './file-content.ts';
import { readContent } from './read-content.mjs';

/** What a file may take of the machine, whatever it is. */
const ROOM = { megabytes: 256, seconds: 20 } as const;
/** Accounts whose files are read or wait: each file has a thread of its own, one after another. */
const ACCOUNTS_MAX = 20;
/** Files of one account: one that is read, or stands in the line of all accounts, and one that waits for it. */
const FILES_PER_ACCOUNT = 2;

/** As text they are read in linear time, and nothing unpacks. */
const lists: readonly ImportType[] = ['podlist', 'sparelist', 'project', 'schedules'];
/** Characters of a list that is read at once, in a few milliseconds: a thread takes longer to start. */
const AT_ONCE = 64 * 1024;
const isShortList = ({ typeFile, data }: ReadJob) =>
  lists.includes(typeFile) && data.length <= AT_ONCE && !data.startsWith('data:');

const script = new URL('read-worker.mjs', import.meta.url);
const fault = (sentence: string): ReadOutcome => ({ kind: 'fault', fault: sentence });

/**
 * Reads files in a thread that ends with each: what a file does to it, it does to no other and not to the server. Accounts take turns:
 * each has one file in the line of all, so that nobody waits for all the files of somebody else. Short lists are read at once.
 */
export function createFileReader(
  readOne: (job: ReadJob) => Promise<ReadOutcome> = (job) => readInThread(job, ROOM),
) {
  const ofAccount = createTurns(1);
  const files = new Map<number, number>();
  let last: Promise<unknown> = Promise.resolve();

  function inLine(job: ReadJob): Promise<ReadOutcome> {
    const mine = last.then(() => readOne(job));
    last = mine.catch(() => {});
    return mine;
  }

  return async function read(job: ReadJob, accountId: number): Promise<ReadOutcome> {
    if (isShortList(job)) return readContent(job);
    const own = files.get(accountId) ?? 0;
    if (own >= FILES_PER_ACCOUNT)
      throw tooMany('Two files of yours are being read already. Please try again in a minute.', 60_000);
    if (own === 0 && files.size >= ACCOUNTS_MAX)
      throw tooMany('Many files are being read. Please try again in a minute.', 60_000);
    files.set(accountId, own + 1);
    try {
      return await ofAccount(accountId, () => inLine(job));
    } finally {
      const left = (files.get(accountId) ?? 1) - 1;
      if (left === 0) files.delete(accountId);
      else files.set(accountId, left);
    }
  };
}

type ThreadReply = Extract<ReadOutcome, { kind: 'fault' }> | { readonly pieces: readonly Piece[] };

async function outcomeOf(told: ThreadReply): Promise<ReadOutcome> {
  if (!('pieces' in told)) return told;
  const content = nothing();
  await inTurns(fill(told.pieces, content));
  return { kind: 'content', content };
}

export function readInThread(
  job: ReadJob,
  { megabytes, seconds }: { megabytes: number; seconds: number },
): Promise<ReadOutcome> {
  return new Promise((resolve) => {
    const thread = new Worker(script, {
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: megabytes },
    });
    const end = (outcome: ReadOutcome) => {
      clearTimeout(watchdog);
      resolve(outcome);
      void thread.terminate();
    };
    const watchdog = setTimeout(
      () => end(fault(`The file took longer than ${seconds} seconds to read. Please divide it.`)),
      seconds * 1000,
    );
    const broken = () => end(fault('The file could not be read: it is too large or damaged.'));
    thread.once('message', (told: ThreadReply) => {
      // It may end while what it sent is put together.
      thread.off('exit', broken);
      void outcomeOf(told).then(end);
    });
    // Also where it has used too much memory.
    thread.once('error', broken);
    thread.once('exit', broken);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    thread.postMessage(job);
  });
}
