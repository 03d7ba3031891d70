import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';

/** A sprinkler with what it last said. Times in epoch ms; null: it has not said. */
export type UnitRow = Pick<
  DeviceRow,
  | 'id'
  | 'uid'
  | 'name'
  | 'description'
  | 'serial_number'
  | 'mac'
  | 'type'
  | 'lat'
  | 'lng'
  | 'settings'
  | 'version'
> & {
  readonly updated_at: number;
  readonly gateway_uid: string | null;
  readonly groups: string[] | null;
  readonly status_at: number | null;
  readonly polled_at: string | null;
  readonly mode: string | null;
  readonly charge: number | null;
  readonly charge_at: number | null;
  readonly clock: number | null;
  /** Of a spare: another unit in use, here or elsewhere, has its serial number. */
  readonly has_twin: boolean;
};

export function createUnitsRepo(db: Db) {
  return {
    list: (farmId: number): Promise<UnitRow[]> => read(db, farmId),

    async spares(farmId: number): Promise<UnitRow[]> {
      const { rows } = await sql<{ id: number }>`select d.id from device d
        where d.farm_id = ${farmId} and d.kind = 'sprinkler' and d.deleted_at is null and ${isSpare}`.execute(
        db,
      );
      return read(
        db,
        farmId,
        rows.map(({ id }) => id),
      );
    },

    async one(farmId: number, deviceId: number): Promise<UnitRow | undefined> {
      const [row] = await read(db, farmId, [deviceId]);
      return row;
    },

    /** Of these uids, those of sprinklers on the farm. */
    async ids(farmId: number, uids: readonly string[]): Promise<{ id: number }[]> {
      return db
        .selectFrom('device')
        .select('id')
        .where('farm_id', '=', farmId)
        .where('kind', '=', 'sprinkler')
        .where('deleted_at', 'is', null)
        .where(sql<boolean>`uid = any(${uids})`)
        .execute();
    },

    async counts(farmId: number): Promise<PodCounts> {
      const { rows } = await sql<PodCounts>`select count(*)::int as total,
          count(*) filter (where not (${isSpare} or ${isOut}))::int as "inService",
          count(*) filter (where ${isSpare})::int as spares,
          count(*) filter (where ${flag('isPlaceholder')})::int as placeholders,
          coalesce(array_agg(distinct coalesce(d.settings->>'farmId', '01:01')), '{}') as "farmIds",
          coalesce(array_agg(distinct coalesce((d.settings->>'channel')::int, 1)), '{}') as channels
        from device d where d.farm_id = ${farmId} and d.kind = 'sprinkler' and d.deleted_at is null`.execute(
        db,
      );
      const [counts] = rows;
      return counts ?? { total: 0, inService: 0, spares: 0, placeholders: 0, farmIds: [], channels: [] };
    },

    /** The numbers of entries that the units say they hold become 0 until they report again. */
    async forgetScheduleNumbers(trx: Db, farmId: number): Promise<void> {
      await sql`update latest l set value = 0 from series s join device d on d.farm_id = s.farm_id and d.id = s.device_id
        where l.farm_id = ${farmId} and s.farm_id = ${farmId} and s.id = l.series_id and s.metric = 'scheduleNum'
          and d.kind = 'sprinkler' and d.deleted_at is null`.execute(trx);
    },
  };
}
export type UnitsRepo = ReturnType<typeof createUnitsRepo>;

interface PodCounts {
  total: number;
  inService: number;
  spares: number;
  placeholders: number;
  farmIds: string[];
  channels: number[];
}

/** Of device `d`. */
const flag = (name: string): RawBuilder<boolean> =>
  sql<boolean>`coalesce((d.settings->>${sql.lit(name)})::boolean, false)`;
const isSpare = flag('isSpareUnit');
const isOut = flag('outOfService');

/**
 * One query for records, newest values, facts and groups. For the whole farm each is read once and joined by hash; of
 * some units (`ids`) only theirs.
 */
async function read(db: Db, farmId: number, ids?: readonly number[]): Promise<UnitRow[]> {
  const only = (column: string) => (ids ? sql`and ${sql.ref(column)} = any(${ids})` : sql``);
  const { rows } = await sql<UnitRow>`
    select d.id, d.uid, d.name, d.description, d.serial_number, d.mac, d.type, d.lat, d.lng, d.settings, d.version,
      date_part('epoch', d.updated_at) * 1000 as updated_at, g.uid as gateway_uid, m.groups,
      date_part('epoch', greatest(v.at, f.at)) * 1000 as status_at, f.polled_at, f.mode,
      v.charge, date_part('epoch', v.charge_at) * 1000 as charge_at, v.clock,
      ${isSpare} and exists (select from device o where lower(o.serial_number) = lower(d.serial_number)
        and o.deleted_at is null and o.kind in ('sprinkler', 'repeater') and (o.farm_id, o.id) <> (d.farm_id, d.id)) as has_twin
    from device d
    left join device g on g.farm_id = d.farm_id and g.id = d.gateway_id and g.kind = 'gateway' and g.deleted_at is null
    left join (select s.device_id, max(l.at) as at,
        max(l.value) filter (where s.metric = 'charge') as charge, max(l.at) filter (where s.metric = 'charge') as charge_at,
        max(l.value) filter (where s.metric = 'clock') as clock
      from series s join latest l on l.farm_id = s.farm_id and l.series_id = s.id
      where s.farm_id = ${farmId} ${only('s.device_id')} group by s.device_id) v on v.device_id = d.id
    left join (select device_id, max(at) as at, max(value) filter (where name = 'mode') as mode,
        max(value) filter (where name = 'polledAt') as polled_at
      from device_fact where farm_id = ${farmId} ${only('device_id')} group by device_id) f on f.device_id = d.id
    left join (select x.device_id, array_agg(y.uid order by y.name) as groups
      from device_group_member x join device_group y on y.farm_id = x.farm_id and y.id = x.group_id
      where x.farm_id = ${farmId} ${only('x.device_id')} group by x.device_id) m on m.device_id = d.id
    where d.farm_id = ${farmId} and d.kind = 'sprinkler' and d.deleted_at is null ${only('d.id')}
    order by d.name collate "C", d.id`.execute(db);
  return rows;
}
