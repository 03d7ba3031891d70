import type { Db } from '../../../db/client.ts';
import { newSecret, readOrMake } from '../../../db/made-once.ts';
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
