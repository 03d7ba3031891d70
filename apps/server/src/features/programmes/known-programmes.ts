import type { PoolClient } from 'pg';
import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import { numberArray } from '../../db/sql-arrays.ts';
import type { HeldProgramme } from './held-after.ts';
import type { UnitKey } from '../../db/unit-keys.ts';

/** A checksum that a unit said. */
interface ReportedCrc extends UnitKey {
  readonly crc: string;
}
interface KnownRow extends ReportedCrc {
  readonly entries: ScheduleEntry[];
  readonly cycleDays: number;
}

// What it is to hold comes first, then what it was to hold before and what it held, then whatever was ever sent to it.
const text = `select k.farm_id as "farmId", k.device_id as "deviceId", k.crc, s.entries, s.cycle_days as "cycleDays"
  from unnest($1::int[], $2::int[], $3::text[]) as k (farm_id, device_id, crc)
  cross join lateral (
    select * from (
      select 1 as rank, p.wanted_at as at, p.entries, p.cycle_days from unit_program p
        where p.farm_id = k.farm_id and p.device_id = k.device_id and p.crc = k.crc
      union all
      select 2, p.wanted_at, p.before->'entries', (p.before->>'cycle_days')::int from unit_program p
        where p.farm_id = k.farm_id and p.device_id = k.device_id and p.before->>'crc' = k.crc
      union all
      select 3, h.since, h.entries, h.cycle_days from unit_held h
        where h.farm_id = k.farm_id and h.device_id = k.device_id and h.crc = k.crc and h.entries is not null
      union all
      select 4, u.at, u.entries, coalesce((c.payload->>'cycleLen')::int, 1)
        from command_unit u join command c on c.farm_id = u.farm_id and c.id = u.command_id
        where u.farm_id = k.farm_id and u.device_id = k.device_id and u.crc = k.crc and u.entries is not null) x
    order by rank, at desc limit 1) s`;

/** What is known under the checksums that these units said; null: Headrace did not send it. */
export async function knownProgrammes(
  client: PoolClient,
  reports: readonly ReportedCrc[],
): Promise<(report: ReportedCrc) => HeldProgramme | null> {
  const { rows } = await client.query<KnownRow>({
    name: 'known-programmes',
    text,
    values: [
      numberArray(reports.map(({ farmId }) => farmId)),
      numberArray(reports.map(({ deviceId }) => deviceId)),
      reports.map(({ crc }) => crc),
    ],
  });
  const known = new Map(rows.map((row) => [keyOf(row), row]));
  return (report) => known.get(keyOf(report)) ?? null;
}

const keyOf = ({ deviceId, crc }: ReportedCrc) => `${deviceId}/${crc}`;
