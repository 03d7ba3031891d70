import type { Gap } from '@headrace/contract/rules/alerts/silence';
import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import { readGaps } from '../device-connections/listening.ts';
import { createIncidentLists, type IncidentOfFarm, ofFarms } from './incident-lists.repo.ts';
import { readSight } from './incident-sight.ts';
import type { IncidentRow } from './incident-subject.ts';

export type Standing = Pick<IncidentRow, 'class' | 'ended_at' | 'answered_by'>;

export function createIncidentsRepo(db: Db) {
  return {
    ...createIncidentLists(db),
    inTransaction: <T>(work: (trx: Db) => Promise<T>): Promise<T> => db.transaction().execute(work),

    find: (farmId: number, uid: string, trx?: Db): Promise<IncidentOfFarm | undefined> =>
      ofFarms(trx ?? db, [farmId])
        .where('i.uid', '=', uid)
        .executeTakeFirst(),

    async sight(farm: FarmRow, row: IncidentOfFarm, mayClose: boolean, now: Date) {
      const episodes = await db
        .selectFrom('alert_episode')
        .selectAll()
        .where('farm_id', '=', farm.id)
        .where('incident_id', '=', row.id)
        .orderBy('since')
        .orderBy('id')
        .execute();
      const sight = await readSight(db, farm, row, episodes, now);
      return mayClose ? sight : { ...sight, valves: [] };
    },

    /** When nobody listened to devices, since that time, the newest first. */
    async outages(now: Date, since: Date): Promise<Gap[]> {
      const gaps = await readGaps(db, now);
      return gaps.filter(({ to }) => to > since.getTime()).toReversed();
    },

    /**
     * With their devices; those that are gone are left out of the list and counted. `isOpen`: of an incident those alone that are so,
     * where any is.
     */
    async episodes(farmIds: readonly number[], incidentIds: readonly string[], isOpen = false) {
      if (incidentIds.length === 0) return [];
      return db
        .selectFrom('alert_episode as e')
        .leftJoin('device as d', (join) =>
          join.onRef('d.farm_id', '=', 'e.farm_id').onRef('d.id', '=', 'e.device_id'),
        )
        .selectAll('e')
        .select('d.uid as device_uid')
        .where('e.farm_id', 'in', [...farmIds])
        .where('e.incident_id', 'in', [...incidentIds])
        .$if(isOpen, (query) => query.where(isSoOrNoneIs))
        .orderBy('e.since')
        .orderBy('e.id')
        .execute();
    },

    steps(farmId: number, incidentId: string) {
      return db
        .selectFrom('alert_step as s')
        .leftJoin('account as a', 'a.id', 's.by_account')
        .select(['s.id', 's.at', 's.what', 's.note', 'a.name as by_name'])
        .where('s.farm_id', '=', farmId)
        .where('s.incident_id', '=', incidentId)
        .orderBy('s.id')
        .execute();
    },

    /** Who was told of these steps, and how far that got by each way. */
    async notices(farmId: number, incidentUid: string, stepIds: readonly string[]) {
      if (stepIds.length === 0) return [];
      const { rows } = await sql<{
        step_id: string;
        account_id: number;
        name: string;
        way: string | null;
        state: string | null;
        error: string | null;
        held_back: string | null;
      }>`select n.step_id, n.account_id, a.name, n.held_back, o.way, o.state, o.error
        from alert_notice n join account a on a.id = n.account_id
        left join outbox o on o.account_id = n.account_id
          and o.dedupe_key = 'alert ' || ${incidentUid} || ' ' || n.step_id
        where n.farm_id = ${farmId} and n.step_id = any(${[...stepIds]}::bigint[])
        order by n.step_id, a.name, n.account_id, o.id`.execute(db);
      return rows;
    },

    /** As it is now, until the transaction ends. */
    async locked(trx: Db, { farm_id, id }: IncidentRow): Promise<Standing> {
      return trx
        .selectFrom('alert_incident')
        .select(['class', 'ended_at', 'answered_by'])
        .where('farm_id', '=', farm_id)
        .where('id', '=', id)
        .forNoKeyUpdate()
        .executeTakeFirstOrThrow();
    },

    /** They are on it: nobody else is asked. */
    async answer(trx: Db, { farm_id, id }: IncidentRow, accountId: number, now: Date): Promise<void> {
      await trx
        .updateTable('alert_incident')
        .set({ answered_by: accountId, answered_at: now, next_step_at: null, escalate_at: null })
        .set('version', sql`version + 1`)
        .where('farm_id', '=', farm_id)
        .where('id', '=', id)
        .execute();
    },

    async snooze(trx: Db, { farm_id, id }: IncidentRow, accountId: number, until: Date): Promise<void> {
      await trx
        .updateTable('alert_incident')
        .set({ snoozed_until: until, snoozed_by: accountId, version: sql`version + 1` })
        .where('farm_id', '=', farm_id)
        .where('id', '=', id)
        .execute();
    },

    answerEpisodes,
  };
}

/** Also of what is about to be over: should it come back, somebody is on it. */
async function answerEpisodes(
  trx: Db,
  farmId: number,
  incidentId: string,
  dueAt: Date,
  now: Date,
): Promise<void> {
  // As a look and a swap of units lock them.
  await sql`select id from alert_episode where farm_id = ${farmId} and incident_id = ${incidentId} and state <> 'ended'
    order by id for no key update`.execute(trx);
  const ofState = (state: 'firing' | 'clearing') =>
    trx
      .updateTable('alert_episode')
      .where('farm_id', '=', farmId)
      .where('incident_id', '=', incidentId)
      .where('state', '=', state);
  await ofState('clearing').set({ answered_at: now }).execute();
  await ofState('firing').set({ state: 'answered', answered_at: now, due_at: dueAt }).execute();
}

const isSoOrNoneIs = sql<boolean>`(e.ended_at is null or not exists (select from alert_episode o
  where o.farm_id = e.farm_id and o.incident_id = e.incident_id and o.ended_at is null))`;

export type IncidentsRepo = ReturnType<typeof createIncidentsRepo>;
