import { randomBytes } from 'node:crypto';
import type { Db } from './client.ts';

/** What the installation keeps under this name; undefined: nothing. */
export async function readKept<T>(db: Db, name: string): Promise<T | undefined> {
  const row = await db.selectFrom('installation').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value as T | undefined;
}

/** The same, made once where there is nothing yet, whichever server is first. */
export async function readOrMake<T>(db: Db, name: string, make: () => T, now: Date): Promise<T> {
  const kept = await readKept<T>(db, name);
  if (kept !== undefined) return kept;
  await db
    .insertInto('installation')
    .values({ name, value: JSON.stringify(make()), updated_at: now })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const made = await readKept<T>(db, name);
  if (made === undefined) throw new Error(`The installation's ${name} was not stored.`);
  return made;
}

/** In the place of what was kept under this name. */
export async function keep(db: Db, name: string, value: unknown, now: Date): Promise<void> {
  const row = { value: JSON.stringify(value), updated_at: now };
  await db
    .insertInto('installation')
    .values({ name, ...row })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute();
}

export async function forget(db: Db, name: string): Promise<void> {
  await db.deleteFrom('installation').where('name', '=', name).execute();
}

/** 256 bits, as text. */
export const newSecret = (): string => randomBytes(32).toString('base64url');
