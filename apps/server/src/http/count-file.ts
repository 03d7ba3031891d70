import type { FastifyRequest } from 'fastify';
import { FILES_A_DAY } from '@headrace/contract/limits';
import { durationText } from '@headrace/contract/rules/contact';
import { type FilesMade, nextDay } from '../db/files-made.ts';
import { tooMany } from './errors.ts';

const MINUTE_MS = 60_000;

/** An account has so many files made a day. Throws tooMany. */
export async function countFile(
  { routeOptions, access }: FastifyRequest,
  files: FilesMade,
  now: Date,
): Promise<void> {
  const { caller } = access;
  if (!routeOptions.config.endpoint?.makesFile || !caller) return;
  if (await files.take(caller.accountId, now)) return;
  const minutes = Math.ceil((nextDay(now).getTime() - now.getTime()) / MINUTE_MS);
  throw tooMany(
    `An account can have ${FILES_A_DAY} files made a day (UTC), and these are all made. Please try again in ${durationText(minutes * MINUTE_MS)}.`,
    minutes * 60,
  );
}
