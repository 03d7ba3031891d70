import { sql } from 'kysely';
import type { Db } from '../db/client.ts';
import { ensurePartitions } from '../db/partitions.ts';
import type { Pool } from 'pg';
import type { Job } from './run-every.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;
/** A late reading at the border of what is accepted rebuilds its whole day from raw history. */
const REBUILD_MARGIN_DAYS = 2;

/** Opens next month's partition, drops raw history past its retention, and forgets what has expired. */
export function housekeeping(options: {
  db: Db;
  pool: Pool;
  now: () => Date;
  retentionDays: number;
  /** Sessions, keys, wrong passwords and page views whose time is over. */
  forgetExpired: () => Promise<unknown>;
  /** Accounts whose days of grace are over. */
  closeAccounts: () => Promise<unknown>;
  /** What ended by itself: shares, and support's sessions. */
  endAccess: () => Promise<unknown>;
  purgeDeadLetters: () => Promise<unknown>;
  forgetOldCommands: () => Promise<unknown>;
  purgeFarms: () => Promise<unknown>;
  rebuildFarmRollups: () => Promise<unknown>;
  /** Settings of gateways and sensors that changed without us, or were not sent. */
  tellDevices: () => Promise<unknown>;
}): Job[] {
  const { db, pool, now } = options;
  const before = (ms: number) => new Date(now().getTime() - ms);
  return [
    {
      name: 'partitions',
      everyMs: 6 * HOUR,
      async run() {
        await ensurePartitions(pool, [now().getTime(), now().getTime() + 27 * DAY]);
        await dropOldPartitions(db, before((options.retentionDays + REBUILD_MARGIN_DAYS) * DAY));
      },
    },
    { name: 'expired', everyMs: HOUR, run: options.forgetExpired },
    { name: 'closed accounts', everyMs: HOUR, run: options.closeAccounts },
    { name: 'ended access', everyMs: MINUTE, run: options.endAccess },
    { name: 'dead letters', everyMs: HOUR, run: options.purgeDeadLetters },
    { name: 'commands', everyMs: 6 * HOUR, run: options.forgetOldCommands },
    { name: 'deleted farms', everyMs: HOUR, run: options.purgeFarms },
    { name: 'farm clocks', everyMs: 30_000, run: options.rebuildFarmRollups },
    { name: 'settings of devices', everyMs: 30_000, run: options.tellDevices },
  ];
}

/** Rolled-up history stays for ever; raw history goes by whole months. */
async function dropOldPartitions(db: Db, before: Date): Promise<void> {
  const limit = `reading_${before.toISOString().slice(0, 7).replace('-', '_')}`;
  const { rows } = await sql<{ name: string }>`
    select child.relname as name from pg_inherits
    join pg_class child on child.oid = inhrelid join pg_class parent on parent.oid = inhparent
    where parent.relname = 'reading' and child.relname < ${limit}`.execute(db);
  for (const { name } of rows) {
    await db.transaction().execute(async (trx) => {
      // A backup that reads this month would make us wait, and every writer behind us: the next run comes in hours.
      await sql`set local lock_timeout = '5s'`.execute(trx);
      await sql.raw(`drop table ${name}`).execute(trx);
    });
  }
}
