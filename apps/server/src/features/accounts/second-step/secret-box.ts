import type { Db } from '../../../db/client.ts';
import { keep, newSecret, readOrMake } from '../../../db/made-once.ts';
import { open, seal } from '../../../db/seal.ts';

const NAME = 'secondStepSecret';

export interface SecretBox {
  seal(text: string, now: Date): Promise<Buffer>;
  /** Null: it was sealed with a key that we haven't got any more. */
  open(sealed: Buffer, now: Date): Promise<string | null>;
}

/**
 * Seals what has to be read again. With the operator's `SECRET_KEY`, which is nowhere in the database; else with one that the
 * installation made for itself and keeps there: a copy of some tables alone tells nothing then, a copy of all does.
 */
export function createSecretBox(db: Db, secretKey: string | null): SecretBox {
  async function keys(now: Date): Promise<string[]> {
    const own = await readOrMake(db, NAME, newSecret, now);
    return secretKey === null ? [own] : [secretKey, own];
  }
  return {
    async seal(text, now) {
      const [first = ''] = await keys(now);
      return seal(text, first);
    },
    async open(sealed, now) {
      for (const key of await keys(now)) {
        try {
          return open(sealed, key);
        } catch {
          // Sealed with the other one.
        }
      }
      return null;
    },
  };
}

/**
 * Another key of the installation's own, and what is kept sealed anew: with `SECRET_KEY` where there is one. What neither opens was
 * sealed with a `SECRET_KEY` that isn't given here: it is left as it is.
 */
export async function renewSecretBox(
  trx: Db,
  secretKey: string | null,
  now: Date,
): Promise<{ sealed: number; left: number }> {
  const rows = await trx
    .selectFrom('authenticator')
    .select(['account_id', 'secret', 'pending'])
    .forUpdate()
    .execute();
  const box = createSecretBox(trx, secretKey);
  const opened = await Promise.all(
    rows.map(async ({ account_id, secret, pending }) => ({
      id: account_id,
      secret: secret && (await box.open(secret, now)),
      pending: pending && (await box.open(pending, now)),
    })),
  );
  await keep(trx, NAME, newSecret(), now);
  for (const { id, secret, pending } of opened) {
    const anew = {
      ...(secret && { secret: await box.seal(secret, now) }),
      ...(pending && { pending: await box.seal(pending, now) }),
    };
    if (secret || pending)
      await trx.updateTable('authenticator').set(anew).where('account_id', '=', id).execute();
  }
  const sealed = opened.filter(({ secret }) => secret).length;
  return { sealed, left: rows.filter(({ secret }) => secret).length - sealed };
}
