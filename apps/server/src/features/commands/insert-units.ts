import type { Lane } from '@headrace/device/lanes';
import { distinct } from '../../db/distinct.ts';
import { jsonText } from '../../db/shared-json.ts';
import { booleanArray, numberArray } from '../../db/sql-arrays.ts';
import type { SqlClient } from '../../db/sql-client.ts';
import type { CommandKey } from './answers.ts';
import type { NewCommand, NewUnit } from './commands.repo.ts';
import { UNHEARD_NOTE } from './unheard.ts';

// Schedules that many have in common travel once, and are read once.
const text = `with s as materialized (select entries::jsonb, crc, n
    from unnest($12::text[], $13::text[]) with ordinality as s (entries, crc, n))
  insert into command_unit (farm_id, command_id, device_id, gateway_id, position, state, at, note, lane, expires_at, again_at,
    was_shelved, held_back, is_unheard, entries, crc)
  select $1, $2, k.device_id, k.gateway_id, k.n - 1, case when k.is_unheard then 'skipped' else 'queued' end, $3,
    case when k.is_unheard then '${UNHEARD_NOTE}' else '' end, $4, to_timestamp(k.expires_ms / 1000), to_timestamp(k.again_ms / 1000),
    k.was_shelved, k.is_unheard, k.is_unheard, s.entries, s.crc
  from unnest($5::int[], $6::int[], $7::float8[], $8::float8[], $9::bool[], $10::bool[], $11::int[]) with ordinality
    as k (device_id, gateway_id, expires_ms, again_ms, was_shelved, is_unheard, schedule, n)
  left join s on s.n = k.schedule`;

/** In their order. */
export async function insertUnits(
  client: SqlClient,
  { farmId, commandId }: CommandKey,
  { createdAt, expiresAt, lane }: Pick<NewCommand, 'createdAt' | 'expiresAt'> & { readonly lane: Lane },
  units: readonly NewUnit[],
): Promise<void> {
  const [places, schedules] = distinct(units, ({ entries, crc }) => `${crc}/${entries && jsonText(entries)}`);
  const differing = (time: Date | undefined) =>
    time && time.getTime() !== expiresAt.getTime() ? time.getTime() : null;
  await client.query({
    text,
    values: [
      farmId,
      commandId,
      createdAt,
      lane,
      numberArray(units.map(({ deviceId }) => deviceId)),
      numberArray(units.map(({ gatewayId }) => gatewayId)),
      numberArray(units.map((unit) => differing(unit.expiresAt))),
      numberArray(units.map(({ againAt }) => againAt?.getTime() ?? null)),
      booleanArray(units.map(({ isShelved = false }) => isShelved)),
      booleanArray(units.map(({ isUnheard = false }) => isUnheard)),
      numberArray(places),
      schedules.map(({ entries }) => (entries ? jsonText(entries) : null)),
      schedules.map(({ crc = null }) => crc),
    ],
  });
}
