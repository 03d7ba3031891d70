// oxlint-disable unicorn/require-post-message-target-origin -- a thread's port has no origin
// JavaScript, since a worker thread is started from a file and Node 20 reads no types; the types are in comments and checked.
import { parentPort } from 'node:worker_threads';
import { yieldCores } from '../../../machine/yield-cores.mjs';
import { piecesOf } from './content-pieces.mjs';
import { readContent } from './read-content.mjs';

yieldCores();
parentPort?.once(
  'message',
  (job) =>
    void readContent(job).then((outcome) =>
      parentPort?.postMessage(outcome.kind === 'fault' ? outcome : { pieces: piecesOf(outcome.content) }),
    ),
);
