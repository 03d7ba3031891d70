import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import { subscriberNetwork } from '../../http/subscriber-network.ts';

/** Failed sign-ins in the window that shut the door, by e-mail and address, by address, and by e-mail from strangers. */
export const WINDOW_MS = 15 * 60_000;
const MAX_EMAIL_AND_ADDRESS = 10;
const MAX_ADDRESS = 50;
const MAX_EMAIL_FROM_STRANGERS = 30;

export interface Attempt {
  email: string;
  address: string;
  /** From a device that signed in to this account before. */
  known: boolean;
}

/** Others than this one in the window, by each of the limits' keys. */
interface Counts {
  emailAndAddress: number;
  address: number;
  emailFromStrangers: number;
}

/**
 * Counts wrong passwords. An attempt counts as failed from its beginning until it is forgiven, so that a thousand at the
 * same moment are no way around the limits.
 */
export function createAttempts(db: Db) {
  async function others(id: string, { email, address }: Omit<Attempt, 'known'>, now: Date): Promise<Counts> {
    const since = new Date(now.getTime() - WINDOW_MS);
    const { rows } = await sql<Counts>`
      select
        count(*) filter (where email = ${email} and address = ${address})::int as "emailAndAddress",
        count(*) filter (where address = ${address})::int as "address",
        count(*) filter (where email = ${email} and not known_device)::int as "emailFromStrangers"
      from sign_in_failure
      where at > ${since} and (email = ${email} or address = ${address}) and id <> ${id}`.execute(db);
    return rows[0] ?? { emailAndAddress: 0, address: 0, emailFromStrangers: 0 };
  }

  return {
    /** `isShut`: too many were wrong; the password isn't to be looked at. */
    async begin(attempt: Attempt, now: Date): Promise<{ id: string; isShut: boolean }> {
      const { email, known } = attempt;
      const address = subscriberNetwork(attempt.address);
      const { id } = await db
        .insertInto('sign_in_failure')
        .values({ at: now, email, address, known_device: known })
        .returning('id')
        .executeTakeFirstOrThrow();
      const counts = await others(id, { email, address }, now);
      const isShut =
        counts.emailAndAddress >= MAX_EMAIL_AND_ADDRESS ||
        counts.address >= MAX_ADDRESS ||
        (!known && counts.emailFromStrangers >= MAX_EMAIL_FROM_STRANGERS);
      return { id, isShut };
    },

    /** The password was right. */
    async forgive(id: string): Promise<void> {
      await db.deleteFrom('sign_in_failure').where('id', '=', id).execute();
    },

    /** Somebody showed by a mailed key whose the address is: earlier mistakes count no more. */
    async forget(email: string, trx: Db): Promise<void> {
      await trx.deleteFrom('sign_in_failure').where('email', '=', email).execute();
    },
  };
}
export type Attempts = ReturnType<typeof createAttempts>;
