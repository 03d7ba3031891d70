import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';

const DAY_MS = 86_400_000;
/** A day without sun can be one incident of thousands of devices: rows go by so many a statement. */
const ROWS_A_STATEMENT = 5000;
const INCIDENTS_AT_ONCE = 100;
/** More than that waits for the next run: nothing else waits for it. */
const TURNS_A_RUN = 50;

/** What is over for so long that nobody asks any more, with its timeline and whom it told. What goes on stays, however old it is. */
export async function forgetIncidents(db: Db, retentionDays: number, now: Date): Promise<void> {
  const before = new Date(now.getTime() - retentionDays * DAY_MS);
  for (let turn = 0; turn < TURNS_A_RUN; turn += 1) {
    const gone = await oldest(db, before);
    if (gone.ids.length === 0) break;
    for (const rows of ['alert_notice', 'alert_step', 'alert_episode'] as const)
      while ((await forgetRows(db, rows, gone)) === ROWS_A_STATEMENT);
    await sql`delete from alert_incident i using ${named(gone)} where i.farm_id = g.farm_id and i.id = g.id
      and i.ended_at < ${before}`.execute(db);
  }
  await db.deleteFrom('alert_pause').where('until', '<', before).execute();
}

interface Gone {
  readonly farmIds: readonly number[];
  readonly ids: readonly string[];
}

async function oldest(db: Db, before: Date): Promise<Gone> {
  const rows = await db
    .selectFrom('alert_incident')
    .select(['farm_id', 'id'])
    .where('ended_at', '<', before)
    .orderBy('ended_at')
    .limit(INCIDENTS_AT_ONCE)
    .execute();
  return { farmIds: rows.map(({ farm_id }) => farm_id), ids: rows.map(({ id }) => id) };
}

const named = ({ farmIds, ids }: Gone) =>
  sql`unnest(${[...farmIds]}::int[], ${[...ids]}::bigint[]) as g (farm_id, id)`;

/** How many went, so many at most. */
async function forgetRows(
  db: Db,
  table: 'alert_notice' | 'alert_step' | 'alert_episode',
  gone: Gone,
): Promise<number> {
  const ofIncident = sql`select t.ctid from ${sql.table(table)} t join ${named(gone)}
    on t.farm_id = g.farm_id and t.incident_id = g.id limit ${ROWS_A_STATEMENT}`;
  const ofStep = sql`select t.ctid from alert_notice t join alert_step s on s.farm_id = t.farm_id and s.id = t.step_id
    join ${named(gone)} on s.farm_id = g.farm_id and s.incident_id = g.id limit ${ROWS_A_STATEMENT}`;
  const { numAffectedRows } = await sql`delete from ${sql.table(table)}
    where ctid = any(array(${table === 'alert_notice' ? ofStep : ofIncident}))`.execute(db);
  return Number(numAffectedRows ?? 0);
}
