import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';

const kinds = { sprinkler: 'ipc', repeater: 'repeater', gateway: 'gateway', sensor: 'sensor' } as const;

/** What the registry is told of a device. */
export type RegistryUnit = Pick<DeviceRow, 'kind' | 'type' | 'serial_number' | 'mac' | 'settings'>;

/**
 * The registry learns what a farm says of its devices (`claimedBy`), or what the operator does (null). What it knows already stays:
 * nobody changes what another, or the operator, has said.
 */
export async function addToRegistry(
  trx: Db,
  units: readonly RegistryUnit[],
  claimedBy: number | null,
): Promise<void> {
  const entries = units.flatMap(({ kind, type, serial_number, mac, settings }) =>
    kind === 'poi' || !mac || !serial_number
      ? []
      : [
          {
            serial: serial_number,
            mac,
            kind: kinds[kind],
            type,
            channel: Number(settings['channel'] ?? 1),
            spfactor: Math.round(settings.spfactor ?? 10),
          },
        ],
  );
  if (entries.length === 0) return;
  await sql`insert into registry (serial_number, mac, kind, type, channel, spfactor, claimed_by)
    select n.*, ${claimedBy}::int from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb)
      as n (serial text, mac text, kind text, type int, channel int, spfactor int)
    where not exists (select from registry r
      where r.mac = n.mac and (r.claimed_by is null or r.claimed_by = ${claimedBy}::int))
    on conflict do nothing`.execute(trx);
}
