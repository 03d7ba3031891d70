import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import { subscriberNetwork } from '../../http/subscriber-network.ts';

/**
 * Failed sign-ins in the window after which no password is looked at. Browsers that signed in to the account before have counts of their
 * own: nobody else's mistakes shut them out. One by e-mail and address, and one by the browser over all addresses, since a browser's name
 * can be stolen. For all others: by e-mail and address, by address (of each e-mail no more than its own limit, so that one person's
 * mistakes are not everybody's behind that address), and by e-mail.
 */
export const WINDOW_MS = 15 * 60_000;
const MAX_EMAIL_AND_ADDRESS = 10;
const MAX_DEVICE = 10;
const MAX_ADDRESS = 50;
const MAX_EMAIL_FROM_STRANGERS = 30;

export interface Attempt {
  email: string;
  address: string;
  /** The browser, by `deviceOf`, where it signed in to this account before; `SIGNED_IN` where somebody is; null: any other. */
  device: string | null;
}

/** Browsers name themselves: whoever is signed in to an account is counted as one. */
export const SIGNED_IN = 'signed in';

/** Others than this one in the window, by each of the limits' keys. */
interface Counts {
  emailAndAddress: number;
  device: number;
  address: number;
  email: number;
}
const none: Counts = { emailAndAddress: 0, device: 0, address: 0, email: 0 };

/**
 * Counts wrong passwords. An attempt counts as failed from its beginning until it is forgiven, so that a thousand at the
 * same moment are no way around the limits.
 */
export function createAttempts(db: Db) {
  async function others(id: string, { email, address, device }: Attempt, now: Date): Promise<Counts> {
    const since = new Date(now.getTime() - WINDOW_MS);
    const { rows } = await sql<Counts>`
      select
        coalesce(sum(n) filter (where email = ${email} and address = ${address}), 0)::int as "emailAndAddress",
        coalesce(sum(by_device) filter (where email = ${email}), 0)::int as "device",
        coalesce(sum(least(n, ${MAX_EMAIL_AND_ADDRESS})) filter (where address = ${address}), 0)::int as "address",
        coalesce(sum(n) filter (where email = ${email}), 0)::int as "email"
      from (select email, address, count(*) as n, count(*) filter (where device = ${device}) as by_device
        from sign_in_failure
        where at > ${since} and (email = ${email} or address = ${address}) and id <> ${id}
          and (device is not null) = ${device !== null}
        group by email, address) counted`.execute(db);
    return rows[0] ?? none;
  }

  return {
    /** `isShut`: too many were wrong; the password isn't to be looked at. */
    async begin(attempt: Attempt, now: Date): Promise<{ id: string; isShut: boolean }> {
      const { email, device } = attempt;
      const address = subscriberNetwork(attempt.address);
      const { id } = await db
        .insertInto('sign_in_failure')
        .values({ at: now, email, address, device })
        .returning('id')
        .executeTakeFirstOrThrow();
      const counts = await others(id, { email, address, device }, now);
      const isShut =
        counts.emailAndAddress >= MAX_EMAIL_AND_ADDRESS ||
        (device !== null
          ? counts.device >= MAX_DEVICE
          : counts.address >= MAX_ADDRESS || counts.email >= MAX_EMAIL_FROM_STRANGERS);
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
