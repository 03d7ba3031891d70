import type { FarmClock } from '@headrace/contract/rules/farm-time';
import { occurrences } from '@headrace/contract/rules/schedule/occurrences';
import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import type { SqlClient } from '../../db/sql-client.ts';
import { ofUnits, type UnitKey, unitKeyArrays } from '../../db/unit-keys.ts';
import { stoppedSince } from '../programmes/must-not-water.ts';

interface UnitSince extends UnitKey {
  readonly createdAt: Date;
}
interface HeldRow {
  readonly deviceId: number;
  readonly entries: readonly ScheduleEntry[];
  readonly cycleDays: number;
  readonly zone: FarmClock;
}

const heldText = `select h.device_id as "deviceId", h.entries, coalesce(h.cycle_days, 1) as "cycleDays",
    jsonb_build_object('timeZoneId', f.time_zone_id, 'rawOffset', f.raw_offset,
      'dstOffset', f.dst_offset, 'dstEnabled', f.dst_enabled, 'before', f.clock_before) as zone
  from ${ofUnits} join farm f on f.id = k.farm_id
  join unit_held h on h.farm_id = k.farm_id and h.device_id = k.device_id and h.until is null
    and h.stopped_at is null and h.entries is not null
  cross join lateral (select k.farm_id, k.device_id) u where ${stoppedSince} is null`;

/**
 * Those whose own schedule should have let them water again since something was sent to them, as far as is known what they hold;
 * none that must not water.
 */
export async function begunSince(
  client: SqlClient,
  units: readonly UnitSince[],
  now: Date,
): Promise<ReadonlySet<number>> {
  if (units.length === 0) return new Set();
  const { rows } = await client.query<HeldRow>({ text: heldText, values: unitKeyArrays(units) });
  const since = new Map(units.map(({ deviceId, createdAt }) => [deviceId, createdAt.getTime()]));
  const hasBegun = ({ deviceId, zone, ...held }: HeldRow) =>
    occurrences(held, zone, since.get(deviceId) ?? now.getTime(), now.getTime()).length > 0;
  return new Set(rows.filter(hasBegun).map(({ deviceId }) => deviceId));
}
