import type { Insertable } from 'kysely';
import type { Db } from '../db/client.ts';
import { newUid } from '../db/ids.ts';
import type { DeviceRow } from '../db/schema.ts';
import type { AlertTables } from '../db/schema/alerts.ts';

const at = new Date('2026-11-20T20:00:00Z');

/** An alert that watches all tanks; its uid. */
export async function buildRule(
  db: Db,
  farmId: number,
  values: Partial<Insertable<AlertTables['alert_rule']>> = {},
): Promise<string> {
  const uid = newUid();
  await db
    .insertInto('alert_rule')
    .values({
      farm_id: farmId,
      uid,
      name: 'Tank low',
      kind: 'TankLow',
      enabled: true,
      device_ids: [],
      watch: null,
      inputs: [],
      condition: 'below',
      value: 20,
      clear_value: null,
      hold_min: 15,
      class: null,
      created_by: null,
      on_since: values.updated_at ?? at,
      created_at: at,
      updated_at: at,
      ...values,
    })
    .execute();
  return uid;
}

/** An alert, and what it told of the device and is still so. */
export async function buildAlert(
  db: Db,
  { farm_id, id: deviceId, name }: DeviceRow,
): Promise<{ alertUid: string; incidentUid: string }> {
  const alertUid = await buildRule(db, farm_id, { device_ids: [deviceId] });
  const { id: ruleId } = await db
    .selectFrom('alert_rule')
    .select('id')
    .where('uid', '=', alertUid)
    .executeTakeFirstOrThrow();
  const incidentUid = newUid();
  const { id } = await db
    .insertInto('alert_incident')
    .values({
      farm_id,
      uid: incidentUid,
      rule_id: ruleId,
      rule_name: 'Tank low',
      kind: 'TankLow',
      class: 'important',
      opened_at: at,
      ended_at: null,
      answered_by: null,
      answered_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('alert_episode')
    .values({
      farm_id,
      rule_id: ruleId,
      device_id: deviceId,
      part: 0,
      incident_id: id,
      state: 'firing',
      class: 'important',
      since: at,
      fired_at: at,
      answered_at: null,
      clear_since: null,
      ended_at: null,
      value: 12,
      peak: 12,
      came_back: 0,
      facts: JSON.stringify({ name }),
      due_at: null,
    })
    .execute();
  return { alertUid, incidentUid };
}
