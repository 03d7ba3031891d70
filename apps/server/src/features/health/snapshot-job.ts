import { sql } from 'kysely';
import type { Timezone } from '@headrace/contract/farms';
import type { IpcStatus } from '@headrace/contract/groups';
import type { Db } from '../../db/client.ts';
import { atMost } from '../../at-most.ts';
import type { FarmRow } from '../../db/schema.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import { type EndedDay, endedDay } from './farm-days.ts';
import { keepSnapshot } from './snapshot.ts';

type ZoneRow = Pick<FarmRow, 'id' | 'time_zone_id' | 'raw_offset' | 'dst_offset' | 'dst_enabled'> & {
  /** YYYY-MM-DD of its newest snapshot. */
  readonly newest: string | null;
};

/** While the database reads one farm, the other is reckoned. */
const FARMS_AT_ONCE = 2;

/** Keeps the day of each farm with sprinklers whose midnight has just passed. What a farm's fault stops, the others have. */
export async function snapshotFarms(
  db: Db,
  now: Date,
  unitsOf: (farm: FarmRow, now: Date) => Promise<readonly IpcStatus[]>,
): Promise<void> {
  const faults: unknown[] = [];
  const inTurn = atMost(FARMS_AT_ONCE);
  const snapshot = async ({ id, ended }: DueFarm) => {
    const farm = await db.selectFrom('farm').selectAll().where('id', '=', id).executeTakeFirst();
    if (farm) await keepSnapshot(db, id, ended, await unitsOf(farm, now), now.getTime());
  };
  const due = await dueFarms(db, now.getTime());
  await Promise.all(
    due.map((farm) => inTurn(() => snapshot(farm)).catch((error: unknown) => faults.push(error))),
  );
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} farms have no snapshot`);
}

interface DueFarm {
  readonly id: number;
  readonly ended: EndedDay;
}

async function dueFarms(db: Db, now: number): Promise<DueFarm[]> {
  const { rows } = await sql<ZoneRow>`
    select f.id, f.time_zone_id, f.raw_offset, f.dst_offset, f.dst_enabled,
      (select max(h.day)::text from health_day h where h.farm_id = f.id) as newest
    from farm f where f.deleted_at is null and exists (select from device d
      where d.farm_id = f.id and d.kind = 'sprinkler' and d.deleted_at is null)`.execute(db);
  return rows.flatMap(({ newest, ...row }) => {
    const ended = endedDay(zoneOf(row), now);
    return ended && (newest === null || newest < ended.day) ? [{ id: row.id, ended }] : [];
  });
}

const zoneOf = (row: Omit<ZoneRow, 'newest'>): Timezone => toZone(row);
