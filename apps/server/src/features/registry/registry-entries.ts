import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';

const kinds = { sprinkler: 'ipc', repeater: 'repeater', gateway: 'gateway', sensor: 'sensor' } as const;

/** What the registry is told of a device. */
export type RegistryUnit = Pick<DeviceRow, 'kind' | 'type' | 'serial_number' | 'mac' | 'settings'>;

/**
 * The registry learns MACs that it doesn't know, under serial numbers that it doesn't know: nobody can change what it says
 * of a device that is in it already.
 */
export async function addToRegistry(trx: Db, units: readonly RegistryUnit[]): Promise<void> {
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
  await sql`insert into registry (serial_number, mac, kind, type, channel, spfactor)
    select n.* from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb)
      as n (serial text, mac text, kind text, type int, channel int, spfactor int)
    where not exists (select from registry r where r.mac = n.mac)
    on conflict do nothing`.execute(trx);
}
