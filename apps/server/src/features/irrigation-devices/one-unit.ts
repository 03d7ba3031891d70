import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import {
  toUnit,
  type Unit,
  type UnitFact,
  type UnitGroup,
  type UnitHeld,
  type UnitProgram,
  type UnitRecord,
  type UnitStop,
  unitSources,
  type UnitValue,
} from './farm-units.ts';
import type { Source } from './table-memory.ts';

interface OneRow {
  readonly records: UnitRecord[];
  readonly values: UnitValue[];
  readonly facts: UnitFact[];
  readonly groups: UnitGroup[];
  readonly programs: UnitProgram[];
  readonly held: UnitHeld[];
  readonly stops: UnitStop[];
  readonly isScheduled: boolean;
}

/**
 * One sprinkler as `FarmUnits` has it, in one statement and without the rest of its farm; undefined: there is none. `isScheduled`:
 * some of the farm's were sent schedules.
 */
export async function readOneUnit(
  db: Db,
  farmId: number,
  deviceId: number,
): Promise<{ unit: Unit; isScheduled: boolean } | undefined> {
  const { records, values, facts, programs, held, stops } = unitSources;
  const of = <Row>({ table, select, join = sql``, only = sql<boolean>`true` }: Source<Row>, device: string) =>
    sql`(select coalesce(json_agg(r), '[]') from (select ${select}
      from (select * from ${sql.table(table)} c where c.farm_id = ${farmId} and ${only}) t ${join}
      where t.farm_id = ${farmId} and ${sql.ref(device)} = ${deviceId}) r)`;
  const { rows } = await sql<OneRow>`
    select ${of(records, 't.id')} as records, ${of(values, 's.device_id')} as "values", ${of(facts, 't.device_id')} as facts,
      ${of(programs, 't.device_id')} as programs, ${of(held, 't.device_id')} as held,
      ${of(stops, 't.device_id')} as stops,
      (select coalesce(json_agg(json_build_object('id', g.id, 'uid', g.uid, 'name', g.name) order by g.name, g.id), '[]')
        from device_group_member m join device_group g on g.farm_id = m.farm_id and g.id = m.group_id
        where m.farm_id = ${farmId} and m.device_id = ${deviceId}) as groups,
      exists (select from unit_program where farm_id = ${farmId}) as "isScheduled"`.execute(db);
  const [row] = rows;
  const record = row?.records[0];
  if (!row || !record?.is_unit) return undefined;
  const more = {
    groups: row.groups,
    wanted: row.programs[0] ?? null,
    held: row.held[0] ?? null,
    stop: row.stops[0] ?? null,
  };
  return { unit: toUnit(record, row.values, row.facts, more), isScheduled: row.isScheduled };
}
