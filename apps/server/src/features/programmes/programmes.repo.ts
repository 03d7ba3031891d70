import { type RawBuilder, sql } from 'kysely';
import { inhibitedCrc, type ScheduleEntry } from '@headrace/device/schedule-crc';
import type { Db } from '../../db/client.ts';
import type { ProgrammesNow } from './programmes-now.ts';

/** What a sprinkler is to water by. */
export interface Programme {
  readonly setId: number | null;
  readonly scheduleGroup: string;
  readonly entries: readonly ScheduleEntry[];
  readonly cycleDays: number;
}

interface ProgrammeRow extends Programme {
  readonly deviceId: number;
}

export interface StopsSince {
  readonly farmUID: string;
  readonly since: number | null;
  readonly units: string[];
}

export function createProgrammesRepo(db: Db) {
  async function read(where: RawBuilder<unknown>): Promise<ReadonlyMap<number, Programme>> {
    const { rows } = await sql<ProgrammeRow>`
      select device_id as "deviceId", set_id as "setId", schedule_group as "scheduleGroup", entries, cycle_days as "cycleDays"
      from unit_program where ${where}`.execute(db);
    return new Map(rows.map((row) => [row.deviceId, row]));
  }

  return {
    /** What each of the farm's sprinklers is to water by, by device; one that was never sent anything is left out. */
    wanted: (farmId: number) => read(sql`farm_id = ${farmId}`),

    /** Of these alone. */
    wantedOf: (farmId: number, deviceIds: readonly number[]) =>
      read(sql`farm_id = ${farmId} and device_id = any(${deviceIds}::int[])`),

    /** What one sprinkler is to water by, and what it holds. */
    async now(farmId: number, deviceId: number): Promise<ProgrammesNow> {
      const { rows } = await sql<ProgrammesNow>`
        select (select row_to_json(w) from (${wantedNow(farmId, deviceId)}) w) as wanted,
          (select row_to_json(h) from (${heldNow(farmId, deviceId)}) h) as held,
          (${stopNow(farmId, deviceId)}) as "stopWanted", (${holdNow(farmId, deviceId)}) as "holdUntil"`.execute(
        db,
      );
      return rows[0] ?? { wanted: null, held: null, stopWanted: null, holdUntil: null };
    },

    /** Units of this command by since when somebody wants them to water nothing (epoch ms; null: nobody does). */
    async stopsOf(farmId: number, commandId: number): Promise<StopsSince[]> {
      const { rows } = await sql<StopsSince>`
        select f.uid as "farmUID", ${ms('s.since')} as since, array_agg(d.uid order by d.id) as units
        from (select distinct device_id from command_unit
          where farm_id = ${farmId} and command_id = ${commandId}) u
        join device d on d.farm_id = ${farmId} and d.id = u.device_id and d.kind = 'sprinkler' and d.deleted_at is null
        join farm f on f.id = d.farm_id
        left join unit_stop s on s.farm_id = d.farm_id and s.device_id = d.id and s.lifted_by is null
        group by f.uid, s.since order by s.since`.execute(db);
      return rows;
    },

    /** Of these those that aren't known to hold what they are to water by. */
    notHeld: (farmId: number, deviceIds: readonly number[]) =>
      read(sql`farm_id = ${farmId} and device_id = any(${deviceIds}::int[]) and not exists (select from unit_held h
        where h.farm_id = unit_program.farm_id and h.device_id = unit_program.device_id and h.until is null
          and h.crc = unit_program.crc and coalesce(h.cycle_days, unit_program.cycle_days) = unit_program.cycle_days)`),

    /** Sprinklers that may water by something: they are to, or hold what isn't known to be nothing. */
    async mayHold(farmId: number): Promise<ReadonlySet<number>> {
      const { rows } = await sql<{ id: number }>`
        select device_id as id from unit_program where farm_id = ${farmId} and entries <> '[]'
        union
        select device_id from unit_held where farm_id = ${farmId} and until is null
          and (entries <> '[]' or entries is null and crc <> ${inhibitedCrc})`.execute(db);
      return new Set(rows.map(({ id }) => id));
    },
  };
}
const ms = (column: string) => sql`date_part('epoch', ${sql.ref(column)}) * 1000`;

const wantedNow = (farmId: number, deviceId: number) => sql`
  select s.uid as "setId", s.name as "setName", p.crc, ${ms('p.wanted_at')} as since, p.schedule_group as "scheduleGroup",
    p.entries, p.cycle_days as "cycleDays", c.uid as "commandId"
  from unit_program p
  left join schedule_set s on s.farm_id = p.farm_id and s.id = p.set_id
  left join command c on c.farm_id = p.farm_id and c.id = p.command_id
  where p.farm_id = ${farmId} and p.device_id = ${deviceId}`;

const stopNow = (farmId: number, deviceId: number) => sql`
  select ${ms('s.since')} from unit_stop s
  where s.farm_id = ${farmId} and s.device_id = ${deviceId} and s.lifted_by is null`;

/** The last end counts; nothing of a unit that a hand let water again since. */
const holdNow = (farmId: number, deviceId: number) => sql`
  select ${ms('x.until')} from (select max(h.until_at) as until from paddock_hold h
    join paddock_hold_unit m on m.farm_id = h.farm_id and m.hold_id = h.id
    where m.farm_id = ${farmId} and m.device_id = ${deviceId} and h.ended_at is null and exists (select from unit_stop s
      where s.farm_id = m.farm_id and s.device_id = m.device_id and s.lifted_by is null and s.kind = 'hold')) x`;

// Which set it was is known of what is wanted and what was before that; else by the newest send to it with the same checksum.
const heldNow = (farmId: number, deviceId: number) => sql`
  select s.uid as "setId", s.name as "setName", h.crc, ${ms('h.since')} as since, h.entries, h.cycle_days as "cycleDays", h.how,
    ${ms('h.stopped_at')} as "stoppedAt"
  from unit_held h
  left join unit_program p on p.farm_id = h.farm_id and p.device_id = h.device_id
  left join lateral (select c.payload->>'setUID' as uid from command_unit u
    join command c on c.farm_id = u.farm_id and c.id = u.command_id
    where u.farm_id = h.farm_id and u.device_id = h.device_id and u.crc = h.crc and c.payload ? 'setUID'
    order by u.at desc limit 1) sent on h.crc is distinct from p.crc and h.crc is distinct from p.before->>'crc'
  left join schedule_set s on s.farm_id = h.farm_id and h.entries is not null
    and (s.id = case h.crc when p.crc then p.set_id when p.before->>'crc' then (p.before->>'set_id')::int end or s.uid = sent.uid)
  where h.farm_id = ${farmId} and h.device_id = ${deviceId} and h.until is null`;
