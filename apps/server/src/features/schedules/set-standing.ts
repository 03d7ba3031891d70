import { sql } from 'kysely';
import { POLLED_AT_ONCE, type SetDifferences, type SetStanding } from '@headrace/contract/schedule-sets';
import { compareNatural } from '@headrace/contract/rules/natural-order';
import { type ScheduleEntry, scheduleCrc } from '@headrace/device/schedule-crc';
import type { Db } from '../../db/client.ts';
import { unitIsLive } from '../../db/under-way.ts';
import { byDevice, cycleDaysOf, type ScheduleSet } from './schedule-sets.ts';

/** A sprinkler as far as a set is concerned. */
interface UnitNow {
  readonly deviceId: number;
  readonly uid: string;
  readonly name: string;
  /** On the farm, no spare. */
  readonly isInService: boolean;
  readonly heldCrc: string | null;
  readonly heldDays: number | null;
  /** Of a schedule that is on its way to it. */
  readonly comingCrc: string | null;
  readonly wantedSetId: number | null;
}

export interface FarmNow {
  readonly units: ReadonlyMap<number, UnitNow>;
  /** Sprinklers in service of each group, by its uid. */
  readonly members: ReadonlyMap<string, ReadonlySet<number>>;
}

/** A turn of a set, with the uid of its group where that is known. */
export interface SetTurn {
  readonly setId: number;
  readonly deviceId: number;
  readonly groupUid: string;
  readonly scheduleGroup: string;
  readonly entries: readonly ScheduleEntry[];
}

/** What each sprinkler of the farm holds and is to get; those that left the farm too. */
export async function readFarmNow(db: Db, farmId: number): Promise<FarmNow> {
  const { rows } = await sql<UnitNow>`
    select d.id as "deviceId", d.uid, d.name, d.deleted_at is null and (d.settings->>'outOfService')::boolean is not true
        and (d.settings->>'isSpareUnit')::boolean is not true as "isInService",
      h.crc as "heldCrc", h.cycle_days as "heldDays", p.set_id as "wantedSetId",
      (select u.crc from command_unit u where u.farm_id = d.farm_id and u.device_id = d.id
        and ${sql.raw(unitIsLive('u'))} and u.crc is not null order by u.at desc limit 1) as "comingCrc"
    from device d
    left join unit_held h on h.farm_id = d.farm_id and h.device_id = d.id and h.until is null
    left join unit_program p on p.farm_id = d.farm_id and p.device_id = d.id
    where d.farm_id = ${farmId} and d.kind = 'sprinkler'`.execute(db);
  const units = new Map(rows.map((row) => [row.deviceId, row]));
  const groups = await sql<{ uid: string; deviceIds: number[] }>`
    select g.uid, array_agg(m.device_id) as "deviceIds" from device_group g
    join device_group_member m on m.farm_id = g.farm_id and m.group_id = g.id
    where g.farm_id = ${farmId} group by g.uid`.execute(db);
  const inService = (ids: readonly number[]) => new Set(ids.filter((id) => units.get(id)?.isInService));
  return { units, members: new Map(groups.rows.map(({ uid, deviceIds }) => [uid, inService(deviceIds)])) };
}

export function readTurns(db: Db, farmId: number, setIds: readonly number[]): Promise<SetTurn[]> {
  if (setIds.length === 0) return Promise.resolve([]);
  return db
    .selectFrom('schedule_set_unit')
    .select([
      'set_id as setId',
      'device_id as deviceId',
      'group_uid as groupUid',
      'schedule_group as scheduleGroup',
      'entries',
    ])
    .where('farm_id', '=', farmId)
    .where('set_id', 'in', [...setIds])
    .execute();
}

/** How far the set has got. */
export function standingOf(
  set: Pick<ScheduleSet, 'id' | 'cycleMinutes'>,
  turns: readonly SetTurn[],
  { units }: FarmNow,
): SetStanding {
  const programmes = byDevice(turns);
  const days = cycleDaysOf(set, programmes);
  const standing = { total: 0, holding: 0, onTheirWay: 0, notConfirmed: 0, otherwise: 0 };
  const notConfirmed: UnitNow[] = [];
  for (const [deviceId, { entries }] of programmes) {
    const unit = units.get(deviceId);
    if (!unit?.isInService) continue;
    standing.total += 1;
    const stage = stageOf(unit, { setId: set.id, crc: scheduleCrc(inDays(entries)), days });
    standing[stage] += 1;
    if (stage === 'notConfirmed') notConfirmed.push(unit);
  }
  return { ...standing, toPoll: firstOf(notConfirmed).map(({ uid }) => uid) };
}

const firstOf = (units: readonly UnitNow[]) =>
  units.toSorted((one, other) => compareNatural(one.name, other.name)).slice(0, POLLED_AT_ONCE);

const DAY_MINUTES = 1440;
/** In minutes of the day, as units keep them. */
export const inDays = (entries: readonly ScheduleEntry[]) =>
  entries.map(({ start, ...rest }) => ({ ...rest, start: start % DAY_MINUTES }));

function stageOf(
  { heldCrc, heldDays, comingCrc, wantedSetId }: UnitNow,
  { setId, crc, days }: { setId: number; crc: string; days: number },
): Exclude<keyof SetStanding, 'total' | 'toPoll'> {
  if (heldCrc === crc && (heldDays ?? days) === days) return 'holding';
  if (comingCrc === crc) return 'onTheirWay';
  return wantedSetId === setId ? 'notConfirmed' : 'otherwise';
}

const NAMES_SHOWN = 10;

/** Where the farm is no longer as the set has it. */
export function differencesOf(turns: readonly SetTurn[], { units, members }: FarmNow): SetDifferences {
  const inSet = new Set(turns.map(({ deviceId }) => deviceId));
  const isInService = (deviceId: number) => units.get(deviceId)?.isInService === true;
  const ofGroups = [...new Set(turns.map(({ groupUid }) => groupUid))].flatMap((uid) => [
    ...(members.get(uid) ?? []),
  ]);
  const moved = turns.filter(
    ({ deviceId, groupUid }) =>
      groupUid !== '' && isInService(deviceId) && members.get(groupUid)?.has(deviceId) !== true,
  );
  const named = (ids: readonly number[]) => {
    const names = [...new Set(ids)].map((id) => units.get(id)?.name ?? '').toSorted(compareNatural);
    return { count: names.length, names: names.slice(0, NAMES_SHOWN) };
  };
  return {
    holes: named([...inSet].filter((id) => !isInService(id))),
    missing: named(ofGroups.filter((id) => !inSet.has(id))),
    moved: named(moved.map(({ deviceId }) => deviceId)),
  };
}
