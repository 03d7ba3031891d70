import { sql } from 'kysely';
import type { Db } from '../../../db/client.ts';
import { createPasskeysRepo } from './passkeys.repo.ts';
import { hashRecoveryCode, newRecoveryCode, RECOVERY_CODES } from './recovery-codes.ts';

/** What people sign in with besides the password. */
export function createFactorsRepo(db: Db) {
  const passkeys = createPasskeysRepo(db);
  const authenticatorOf = (accountId: number, trx: Db = db) =>
    trx.selectFrom('authenticator').selectAll().where('account_id', '=', accountId).executeTakeFirst();

  return {
    ...passkeys,
    authenticatorOf,

    /** What an account can answer a second step with. */
    async factorsOf(accountId: number): Promise<{ hasApp: boolean; hasPasskey: boolean }> {
      const app = await authenticatorOf(accountId);
      return {
        hasApp: (app?.secret ?? null) !== null,
        hasPasskey: (await passkeys.passkeysOf(accountId)).length > 0,
      };
    },

    async setPending(accountId: number, pending: Buffer, now: Date): Promise<void> {
      const values = { pending, pending_at: now };
      await db
        .insertInto('authenticator')
        .values({ account_id: accountId, ...values })
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
        .execute();
    },

    /** The secret whose first code was right is in use from now on. False: another was begun or confirmed meanwhile. */
    async confirm(
      accountId: number,
      { pending, step, now }: { pending: Buffer; step: number; now: Date },
      trx: Db,
    ): Promise<boolean> {
      const row = await trx
        .updateTable('authenticator')
        .set({
          secret: pending,
          last_step: String(step),
          pending: null,
          pending_at: null,
          confirmed_at: now,
        })
        .where('account_id', '=', accountId)
        .where('pending', '=', pending)
        .returning('account_id')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** False: a code of these 30 s, or of later ones, was taken already. */
    async takeStep(accountId: number, step: number): Promise<boolean> {
      const row = await db
        .updateTable('authenticator')
        .set({ last_step: String(step) })
        .where('account_id', '=', accountId)
        .where('last_step', '<', String(step))
        .returning('account_id')
        .executeTakeFirst();
      return row !== undefined;
    },

    async removeAuthenticator(accountId: number, trx: Db): Promise<void> {
      await trx.deleteFrom('authenticator').where('account_id', '=', accountId).execute();
    },

    /** False: it is none of the account's that is left. */
    async takeRecoveryCode(accountId: number, typed: string, now: Date): Promise<boolean> {
      const hash = hashRecoveryCode(typed);
      if (!hash) return false;
      const row = await db
        .updateTable('recovery_code')
        .set({ used_at: now })
        .where('account_id', '=', accountId)
        .where('code_hash', '=', hash)
        .where('used_at', 'is', null)
        .returning('account_id')
        .executeTakeFirst();
      return row !== undefined;
    },

    async codesLeft(accountId: number, trx: Db = db): Promise<number> {
      const { left } = await trx
        .selectFrom('recovery_code')
        .select((eb) => eb.fn.countAll<string>().as('left'))
        .where('account_id', '=', accountId)
        .where('used_at', 'is', null)
        .executeTakeFirstOrThrow();
      return Number(left);
    },

    /** New ones in the place of all former; they can be read here and never again. */
    async newRecoveryCodes(accountId: number, trx: Db): Promise<string[]> {
      const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
      await trx.deleteFrom('recovery_code').where('account_id', '=', accountId).execute();
      const rows = codes.map((code) => ({
        account_id: accountId,
        code_hash: hashRecoveryCode(code) as Buffer,
      }));
      await trx.insertInto('recovery_code').values(rows).execute();
      return codes;
    },

    /** Whatever was changed: since when signing in takes two steps. Without a second step no recovery code is left, and no browser remembered. */
    async settle(accountId: number, now: Date, trx: Db): Promise<boolean> {
      const app = await authenticatorOf(accountId, trx);
      const isOn = (app?.secret ?? null) !== null || (await passkeys.passkeysOf(accountId, trx)).length > 0;
      await trx
        .updateTable('account')
        .set((eb) => ({
          second_step_since: isOn ? eb.fn.coalesce('second_step_since', sql<Date>`${now}`) : null,
          updated_at: now,
        }))
        .where('id', '=', accountId)
        .execute();
      if (!isOn) {
        await trx.deleteFrom('recovery_code').where('account_id', '=', accountId).execute();
        await forgetRemembered(trx, accountId);
      }
      return isOn;
    },
  };
}
export type FactorsRepo = ReturnType<typeof createFactorsRepo>;

/** From now on the password alone signs in. */
export async function removeFactors(trx: Db, accountId: number, now: Date): Promise<void> {
  await trx.deleteFrom('authenticator').where('account_id', '=', accountId).execute();
  await trx.deleteFrom('passkey').where('account_id', '=', accountId).execute();
  await createFactorsRepo(trx).settle(accountId, now, trx);
}

/** What was added since, as somebody who should not have; what was there before stays. */
export async function removeFactorsSince(
  trx: Db,
  accountId: number,
  { since, now }: { since: Date; now: Date },
): Promise<void> {
  await trx
    .deleteFrom('authenticator')
    .where('account_id', '=', accountId)
    .where('confirmed_at', '>=', since)
    .execute();
  await trx
    .deleteFrom('passkey')
    .where('account_id', '=', accountId)
    .where('created_at', '>=', since)
    .execute();
  await createFactorsRepo(trx).settle(accountId, now, trx);
  await forgetRemembered(trx, accountId);
}

/** What opens the account besides its password, in words. */
export async function factorNames(db: Db, accountId: number): Promise<string[]> {
  const factors = createFactorsRepo(db);
  const { hasApp } = await factors.factorsOf(accountId);
  const passkeys = await factors.passkeysOf(accountId);
  return [...(hasApp ? ['an authenticator app'] : []), ...passkeys.map(({ name }) => `a passkey (${name})`)];
}

/** No browser is saved the second step any more; `but`: this one still is. */
export async function forgetRemembered(trx: Db, accountId: number, but = ''): Promise<void> {
  await trx
    .updateTable('known_device')
    .set({ remember_hash: null, remembered_until: null })
    .where('account_id', '=', accountId)
    .where('device_uid', '!=', but)
    .execute();
}
