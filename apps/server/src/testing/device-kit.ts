import type { FieldChange } from '../features/changes/change-log.ts';
import type { DeviceRow } from '../db/schema.ts';
import type { TestServer } from './test-server.ts';

let count = 0;
/** A MAC that no other device of a test has. */
export const newMac = () => `70B3D6FF${(count += 1).toString(16).toUpperCase().padStart(8, '0')}`;

/** What tests of devices look up in the database. */
export function deviceKit(server: TestServer) {
  const { db } = server.database;
  return {
    stored: (uid: string): Promise<DeviceRow> =>
      db.selectFrom('device').selectAll().where('uid', '=', uid).executeTakeFirstOrThrow(),

    /** How often the gateway's list was changed since it was made, and what the gateway holds. */
    async revisions(gateway: DeviceRow): Promise<{ list: number; acked: number }> {
      const state = await db
        .selectFrom('gateway_state')
        .select(['list_rev as list', 'acked_rev as acked'])
        .where('farm_id', '=', gateway.farm_id)
        .where('device_id', '=', gateway.id)
        .executeTakeFirstOrThrow();
      return state;
    },

    async changes(
      farmId: number,
    ): Promise<{ what: string; kind: string; name: string; fields: FieldChange[] }[]> {
      return db
        .selectFrom('change_log')
        .select(['what', 'kind', 'name', 'fields'])
        .where('farm_id', '=', farmId)
        .orderBy('id')
        .execute();
    },

    async setGateway(unit: DeviceRow, gateway: DeviceRow): Promise<void> {
      await db
        .updateTable('device')
        .set({ gateway_id: gateway.id })
        .where('farm_id', '=', unit.farm_id)
        .where('id', '=', unit.id)
        .execute();
    },

    /** A word of a unit, as ingest keeps it. */
    async say(unit: DeviceRow, name: string, value: string, at: string): Promise<void> {
      await db
        .insertInto('device_fact')
        .values({ farm_id: unit.farm_id, device_id: unit.id, name, at, value })
        .execute();
    },

    /** A lateral group without members; its uid. */
    async lateral(farmId: number, name: string): Promise<string> {
      const uid = (count += 1).toString(16).padStart(24, 'e');
      await db.insertInto('device_group').values({ farm_id: farmId, uid, name, is_lateral: true }).execute();
      return uid;
    },
  };
}
export type DeviceKit = ReturnType<typeof deviceKit>;
