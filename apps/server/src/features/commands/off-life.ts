import type { SqlClient } from '../../db/sql-client.ts';

/** A unit's clock and ours may be this far apart when its valve should have closed, ms. */
const GRACE_MS = 30 * 60_000;
/** Times are rounded up to these, so that a group goes out in few messages, ms. */
const STEP_MS = 15 * 60_000;

const openText = `select device_id as "deviceId", max(closes_by) as until from command_unit
  where farm_id = $1 and device_id = any($2) and opened_at is not null and closed_at is null group by device_id`;

/**
 * Until when an Off for these units is worth sending: as long as a valve may be open that it is for. `openUntil`: until when
 * starts that a gateway was given may keep one open.
 */
export async function offsUntil(
  client: SqlClient,
  { farmId, deviceIds, at }: { farmId: number; deviceIds: readonly number[]; at: Date },
  openUntil: ReadonlyMap<number, Date>,
): Promise<Map<number, Date>> {
  const { rows } = await client.query<{ deviceId: number; until: Date }>({
    name: 'off-life',
    text: openText,
    values: [farmId, deviceIds],
  });
  const until = new Map([...openUntil].map(([deviceId, time]) => [deviceId, time.getTime()]));
  for (const row of rows)
    until.set(row.deviceId, Math.max(row.until.getTime(), until.get(row.deviceId) ?? 0));
  const rounded = (time: number) => {
    const lifeMs = time + GRACE_MS - at.getTime();
    return new Date(at.getTime() + Math.ceil(lifeMs / STEP_MS) * STEP_MS);
  };
  return new Map([...until].map(([deviceId, time]) => [deviceId, rounded(time)]));
}
