import type { FastifyRequest } from 'fastify';
import { FILES_A_DAY } from '@headrace/contract/limits';
import { type FilesMade, nextDay } from '../db/files-made.ts';
import { tooMany, tryAgain } from './errors.ts';

/** An account has so many files made a day. Throws tooMany. */
export async function countFile(
  { routeOptions, access }: FastifyRequest,
  files: FilesMade,
  now: Date,
): Promise<void> {
  const { caller } = access;
  if (!routeOptions.config.endpoint?.makesFile || !caller) return;
  if (await files.take(caller.accountId, now)) return;
  const restMs = nextDay(now).getTime() - now.getTime();
  throw tooMany(
    `An account can have ${FILES_A_DAY} files made a day (UTC), and these are all made. ${tryAgain(restMs)}`,
    restMs,
  );
}
