import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';

/** What a person entered of alerts, and what they were told and answered: lists of the newest, `most` of each. */
export const alertsOfAccount = (db: Db, id: number, most: number) => ({
  alertPreferences: () => preferencesOf(db, id),
  alerts: () => rulesOf(db, id, most),
  alertNotices: () => noticesOf(db, id, most),
  alertAnswers: () => answersOf(db, id, most),
});

const preferencesOf = async (db: Db, id: number) =>
  (await db
    .selectFrom('alert_preference')
    .select([
      'quiet_from as quietFrom',
      'quiet_to as quietTo',
      'quiet_zone as zone',
      'ways',
      'digest',
      'escalations',
      'updated_at as updatedAt',
    ])
    .where('account_id', '=', id)
    .executeTakeFirst()) ?? null;

/** Those that they made, or that name them. Whom else these name is not theirs. */
const rulesOf = (db: Db, id: number, most: number) =>
  db
    .selectFrom('alert_rule as r')
    .innerJoin('farm as f', 'f.id', 'r.farm_id')
    .select(['r.uid as id', 'f.name as farm', 'r.name', 'r.kind', 'r.enabled', 'r.condition', 'r.value'])
    .select(['r.clear_value as clearValue', 'r.hold_min as holdMinutes', 'r.class', 'r.inputs', 'r.watch'])
    .select([
      'r.escalate_min as escalateAfterMinutes',
      'r.created_at as createdAt',
      'r.updated_at as updatedAt',
    ])
    .select(sql<boolean>`r.created_by is not distinct from ${id}::int`.as('isMadeByMe'))
    .select(sql<boolean>`${id}::int = any(r.people)`.as('tellsMeByName'))
    .select(sql<boolean>`${id}::int = any(r.escalate_people)`.as('tellsMeIfNobodyAnswers'))
    .select(
      sql<string[]>`array(select d.name from device d where d.farm_id = r.farm_id and d.id = any(r.device_ids)
        order by d.name limit 5000)`.as('devices'),
    )
    .where(
      sql<boolean>`(r.created_by = ${id} or ${id}::int = any(r.people) or ${id}::int = any(r.escalate_people))`,
    )
    .orderBy('r.id', 'desc')
    .limit(most)
    .execute();

const noticesOf = (db: Db, id: number, most: number) =>
  db
    .selectFrom('alert_notice as n')
    .innerJoin('alert_step as s', (join) =>
      join.onRef('s.farm_id', '=', 'n.farm_id').onRef('s.id', '=', 'n.step_id'),
    )
    .innerJoin('alert_incident as i', (join) =>
      join.onRef('i.farm_id', '=', 's.farm_id').onRef('i.id', '=', 's.incident_id'),
    )
    .innerJoin('farm as f', 'f.id', 'n.farm_id')
    .select(['s.at', 'f.name as farm', 'i.rule_name as alert', 's.what', 's.note as text'])
    .select('n.held_back as heldBack')
    .where('n.account_id', '=', id)
    .orderBy('s.at', 'desc')
    .limit(most)
    .execute();

const answersOf = (db: Db, id: number, most: number) =>
  db
    .selectFrom('alert_step as s')
    .innerJoin('alert_incident as i', (join) =>
      join.onRef('i.farm_id', '=', 's.farm_id').onRef('i.id', '=', 's.incident_id'),
    )
    .innerJoin('farm as f', 'f.id', 's.farm_id')
    .select(['s.at', 'f.name as farm', 'i.rule_name as alert', 's.what', 's.note as from'])
    .where('s.by_account', '=', id)
    .orderBy('s.at', 'desc')
    .limit(most)
    .execute();
