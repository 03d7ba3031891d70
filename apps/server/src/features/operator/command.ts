import type { UsageLimits } from '@headrace/contract/limits';
import type { Pool } from 'pg';
import type { News } from '../../live/live-bus.ts';
import type { Db } from '../../db/client.ts';
import type { AccountRow } from '../../db/schema.ts';
import { tellServers } from '../../live/database-news.ts';
import { UsageError } from './usage-error.ts';

export interface OperatorContext {
  db: Db;
  /** The same database, for what writes readings. */
  pool?: Pool;
  /** What farms and accounts may write. */
  usageLimits?: UsageLimits;
  /** Days that readings are kept. */
  retentionDays?: number;
  now: Date;
  /** Where people reach the app, for links. */
  publicUrl?: string;
  /** The server that goes with these settings: its address, null where that is any port; and what lets an operator in. */
  server?: { address: string | null; token: string | null };
  /** What the operator gave to seal secrets with. */
  secretKey?: string | null;
  /** Where names of files begin. */
  folder?: string;
}

export interface Command {
  usage: string;
  does: string;
  /** Places of arguments that nobody may read later. The first is none: it says to whom it was done. */
  secrets?: readonly number[];
  run(context: OperatorContext, args: string[]): Promise<string>;
}

export const DAY = 86_400_000;

/** Throws UsageError where no account has this address. */
export async function accountOf(db: Db, email: string | undefined): Promise<AccountRow> {
  if (!email) throw new UsageError('Give the e-mail address.');
  const row = await db
    .selectFrom('account')
    .selectAll()
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst();
  if (!row) throw new UsageError(`There is no account ${email}.`);
  return row;
}

/** Throws UsageError for anything but these two words. */
export function isOn(word: string | undefined): boolean {
  if (word !== 'on' && word !== 'off') throw new UsageError('Give on or off.');
  return word === 'on';
}

export function howMany(text: string | undefined, unlessSaid: number): number {
  const limit = Number(text ?? unlessSaid);
  if (!Number.isInteger(limit) || limit < 1 || limit > 10_000)
    throw new UsageError('Give a number from 1 to 10000.');
  return limit;
}

/** A change of an account and what running servers are told of it: both or neither. */
export function change(db: Db, act: (trx: Db) => Promise<News[]>): Promise<void> {
  return db.transaction().execute(async (trx) => {
    for (const news of await act(trx)) await tellServers(trx, news);
  });
}
