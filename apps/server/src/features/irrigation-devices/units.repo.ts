import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';

/** What was entered of a sprinkler. Times in epoch ms. */
type RecordPart = Pick<
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
  /** Of a spare: another unit in use, here or elsewhere, has its serial number. */
  readonly has_twin: boolean;
};

/** What it last said, in numbers and in words; null: it has not said. Times in epoch ms. */
interface ValuesPart {
  readonly device_id: number;
  readonly heard_at: number | null;
  readonly charge: number | null;
  readonly charge_at: number | null;
  readonly clock: number | null;
}
interface FactsPart {
  readonly device_id: number;
  readonly said_at: number | null;
  readonly mode: string | null;
  readonly polled_at: string | null;
}
const noValues: Omit<ValuesPart, 'device_id'> = {
  heard_at: null,
  charge: null,
  charge_at: null,
  clock: null,
};
const noFacts: Omit<FactsPart, 'device_id'> = { said_at: null, mode: null, polled_at: null };

export type UnitRow = RecordPart &
  Pick<ValuesPart, 'charge' | 'charge_at' | 'clock'> &
  Pick<FactsPart, 'mode' | 'polled_at'> & {
    readonly status_at: number | null;
    readonly groups: string[];
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
 * Records, newest values, facts and groups, each read in one pass: the records of thousands of units are taken in here
 * while the database still adds up what they last said. For the whole farm, or of some units (`ids`).
 */
async function read(db: Db, farmId: number, ids?: readonly number[]): Promise<UnitRow[]> {
  const only = (column: string) => (ids ? sql`and ${sql.ref(column)} = any(${ids})` : sql``);
  const [records, values, facts, groups] = await Promise.all([
    sql<RecordPart>`select d.id, d.uid, d.name, d.description, d.serial_number, d.mac, d.type, d.lat, d.lng, d.settings,
        d.version, date_part('epoch', d.updated_at) * 1000 as updated_at,
        (select g.uid from device g where g.farm_id = d.farm_id and g.id = d.gateway_id and g.deleted_at is null) as gateway_uid,
        ${isSpare} and exists (select from device o where lower(o.serial_number) = lower(d.serial_number)
          and o.deleted_at is null and o.kind in ('sprinkler', 'repeater') and (o.farm_id, o.id) <> (d.farm_id, d.id)) as has_twin
      from device d where d.farm_id = ${farmId} and d.kind = 'sprinkler' and d.deleted_at is null ${only('d.id')}
      order by d.name collate "C", d.id`.execute(db),
    sql<ValuesPart>`select s.device_id, date_part('epoch', max(l.at)) * 1000 as heard_at,
        max(l.value) filter (where s.metric = 'charge') as charge,
        date_part('epoch', max(l.at) filter (where s.metric = 'charge')) * 1000 as charge_at,
        max(l.value) filter (where s.metric = 'clock') as clock
      from series s join latest l on l.farm_id = s.farm_id and l.series_id = s.id
      where s.farm_id = ${farmId} ${only('s.device_id')} group by s.device_id`.execute(db),
    sql<FactsPart>`select device_id, date_part('epoch', max(at)) * 1000 as said_at,
        max(value) filter (where name = 'mode') as mode, max(value) filter (where name = 'polledAt') as polled_at
      from device_fact where farm_id = ${farmId} ${only('device_id')} group by device_id`.execute(db),
    sql<{ device_id: number; uid: string }>`select m.device_id, g.uid from device_group_member m
      join device_group g on g.farm_id = m.farm_id and g.id = m.group_id
      where m.farm_id = ${farmId} ${only('m.device_id')} order by g.name`.execute(db),
  ]);
  const valuesOf = new Map(values.rows.map((row) => [row.device_id, row]));
  const factsOf = new Map(facts.rows.map((row) => [row.device_id, row]));
  const groupsOf = new Map<number, string[]>(records.rows.map(({ id }) => [id, []]));
  for (const { device_id, uid } of groups.rows) groupsOf.get(device_id)?.push(uid);
  return records.rows.map((record) => {
    const { heard_at, charge, charge_at, clock } = valuesOf.get(record.id) ?? noValues;
    const { said_at, mode, polled_at } = factsOf.get(record.id) ?? noFacts;
    const newest = Math.max(heard_at ?? 0, said_at ?? 0);
    const status_at = newest > 0 ? newest : null;
    const inGroups = groupsOf.get(record.id) ?? [];
    return Object.assign(record, { status_at, charge, charge_at, clock, mode, polled_at, groups: inGroups });
  });
}
