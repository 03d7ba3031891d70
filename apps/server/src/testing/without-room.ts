import type { Pool } from 'pg';

/** What a call is answered then. */
export const DISK_FULL = {
  errorMessage: "The server's disk is full: nothing can be saved until its operator makes room.",
  code: 'diskFull',
};

/** What is stored in this table meanwhile finds no room, at once or when all of it is to be kept, as the database says it. */
export async function withoutRoomFor<T>(
  pool: Pool,
  { table, isAtTheEnd }: { readonly table: string; readonly isAtTheEnd: boolean },
  work: () => Promise<T>,
): Promise<T> {
  await pool.query(`
    create or replace function no_room() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
    create constraint trigger no_room after insert or update on ${table} ${isAtTheEnd ? 'deferrable initially deferred' : ''}
      for each row execute function no_room()`);
  try {
    return await work();
  } finally {
    await pool.query(`drop trigger no_room on ${table}`);
  }
}
