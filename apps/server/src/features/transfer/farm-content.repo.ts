import { sql } from 'kysely';
import type { IoSettings } from '@headrace/contract/gateway-io';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';
import type { KeptDesign } from '../../db/schema/commands.ts';
import { mapInTurns } from '../../jobs/in-turns.ts';

/** A device with the groups that it is in and the gateway that hears it, by name and uid. */
export interface ContentDevice
  extends Pick<
    DeviceRow,
    | 'id'
    | 'uid'
    | 'kind'
    | 'type'
    | 'name'
    | 'description'
    | 'serial_number'
    | 'mac'
    | 'lat'
    | 'lng'
    | 'settings'
    | 'mapping'
    | 'version'
    | 'builtin_codec'
    | 'codec_id'
    | 'codec_version'
    | 'shares_serial'
  > {
  readonly gatewayUid: string | null;
  readonly groups: readonly { readonly uid: string; readonly name: string }[];
}

export interface ContentTemplate {
  readonly uid: string;
  readonly name: string;
  readonly body: KeptDesign;
}

export interface ContentIo {
  readonly uid: string;
  readonly name: string;
  readonly settings: IoSettings;
}

/** What people have configured of a farm, for files. */
export function createFarmContentRepo(db: Db) {
  return {
    /**
     * In two readings, and gateways are found among what was read: joined, groups and gateways cost seconds on a farm that has just grown by
     * thousands, of which the database knows nothing yet.
     */
    async devices(farmId: number, from: Db = db): Promise<ContentDevice[]> {
      const { rows: devices } = await sql<
        Omit<ContentDevice, 'groups' | 'gatewayUid'> & Pick<DeviceRow, 'gateway_id'>
      >`select d.id, d.uid, d.kind, d.type, d.name, d.description, d.serial_number, d.mac, d.lat, d.lng, d.settings, d.mapping, d.version,
          d.builtin_codec, d.codec_id, d.codec_version, d.shares_serial, d.gateway_id
        from device d where d.farm_id = ${farmId} and d.deleted_at is null`.execute(from);
      const uids = new Map(devices.map(({ id, uid }) => [id, uid]));
      const members = await from
        .selectFrom('device_group_member as m')
        .innerJoin('device_group as g', (join) =>
          join.onRef('g.farm_id', '=', 'm.farm_id').onRef('g.id', '=', 'm.group_id'),
        )
        .select(['m.device_id as id', 'g.uid', 'g.name'])
        .where('m.farm_id', '=', farmId)
        .orderBy('g.name')
        .orderBy('g.uid')
        .execute();
      const groups = new Map<number, { uid: string; name: string }[]>();
      for (const { id, ...group } of members) groups.set(id, [...(groups.get(id) ?? []), group]);
      return mapInTurns(devices, ({ gateway_id: gateway, ...device }) => ({
        ...device,
        gatewayUid: gateway === null ? null : (uids.get(gateway) ?? null),
        groups: groups.get(device.id) ?? [],
      }));
    },

    groups: (farmId: number, from: Db = db) =>
      from
        .selectFrom('device_group')
        .select(['uid', 'name', 'description', 'is_lateral', 'wal_config'])
        .where('farm_id', '=', farmId)
        .execute(),

    /** Grows with whatever people change of the farm. */
    async revision(farmId: number, from: Db): Promise<string> {
      const { rows } = await sql<{
        id: string | null;
      }>`select max(id)::text as id from change_log where farm_id = ${farmId}`.execute(from);
      return rows[0]?.id ?? '0';
    },

    /** What people set of inputs and relays, by gateway. */
    inputsAndRelays: (farmId: number, from: Db = db): Promise<ContentIo[]> =>
      from
        .selectFrom('gateway_io as io')
        .innerJoin('device as d', (join) =>
          join.onRef('d.farm_id', '=', 'io.farm_id').onRef('d.id', '=', 'io.device_id'),
        )
        .select(['d.uid', 'd.name', 'io.settings'])
        .where('io.farm_id', '=', farmId)
        .where('d.deleted_at', 'is', null)
        .orderBy('d.uid')
        .execute(),

    templates: (farmId: number, from: Db = db): Promise<ContentTemplate[]> =>
      from
        .selectFrom('schedule_template')
        .select(['uid', 'name', 'body'])
        .where('farm_id', '=', farmId)
        .where('deleted_at', 'is', null)
        .execute(),
  };
}
export type FarmContentRepo = ReturnType<typeof createFarmContentRepo>;
export type ContentGroup = Awaited<ReturnType<FarmContentRepo['groups']>>[number];
