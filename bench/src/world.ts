import { createHash } from 'node:crypto';
import type pg from 'pg';
import { defaultWaterApplication } from '@headrace/contract/farms';

export interface BenchGateway {
  farmId: number;
  farmUid: string;
  mac: string;
  sensorMacs: string[];
  sensorUids: string[];
}

export const KEY = 'bench-gateway-key';
const hex = (value: number, digits: number) => value.toString(16).toUpperCase().padStart(digits, '0');
const uid = (value: number) => value.toString(16).padStart(24, '0');

/** One owner with `farms` farms, each with one gateway and `sensors` tanks. Ids start at `from`. */
export async function buildWorld(
  client: pg.Client | pg.Pool,
  options: { farms: number; sensors: number; from: number; ownerEmail: string; passwordHash: string },
): Promise<BenchGateway[]> {
  const owner = await client.query<{ id: number }>(
    `insert into account (uid, email, name, type, password_hash, subscription_valid_until)
     values ($1, $2, 'Bench', 'SUBSCRIBER', $3, '2099-01-01') returning id`,
    [uid(options.from), options.ownerEmail, options.passwordHash],
  );
  const gateways: BenchGateway[] = [];
  for (let farm = 0; farm < options.farms; farm += 1) {
    gateways.push(
      await buildFarm(client, owner.rows[0]?.id ?? 0, options.from + farm * 1000 + 1, options.sensors),
    );
  }
  return gateways;
}

async function buildFarm(
  client: pg.Client | pg.Pool,
  ownerId: number,
  from: number,
  sensors: number,
): Promise<BenchGateway> {
  const farm = await client.query<{ id: number }>(
    `insert into farm (uid, owner_id, name, lat, lng, wal_config, time_zone_id, raw_offset, dst_offset, dst_enabled)
     values ($1, $2, $3, -43.7, 171.9, $4, 'Pacific/Auckland', 43200, 3600, true) returning id`,
    [uid(from), ownerId, `Farm ${from}`, JSON.stringify(defaultWaterApplication)],
  );
  const farmId = farm.rows[0]?.id ?? 0;
  const mac = `70B3D5${hex(from, 10)}`;
  const gateway = await client.query<{ id: number }>(
    `insert into device (farm_id, uid, kind, name, serial_number, mac) values ($1, $2, 'gateway', 'G', $3, $4) returning id`,
    [farmId, uid(from + 1), `G${from}`, mac],
  );
  const gatewayId = gateway.rows[0]?.id ?? 0;
  await client.query('insert into gateway_state (farm_id, device_id) values ($1, $2)', [farmId, gatewayId]);
  await client.query('insert into gateway_key (mac, farm_id, device_id, key_hash) values ($1, $2, $3, $4)', [
    mac,
    farmId,
    gatewayId,
    createHash('sha256').update(KEY).digest(),
  ]);
  const sensorMacs = Array.from({ length: sensors }, (_, index) => `0004A3${hex(from + index + 2, 10)}`);
  const sensorUids = sensorMacs.map((_, index) => uid(from + index + 2));
  await client.query(
    `insert into device (farm_id, uid, kind, type, name, serial_number, mac, settings)
     select $1, u, 'sensor', 0, 'Tank ' || n, 'T' || $2 || '-' || n, m, '{"offset":500,"height":3000,"toplevel":2500,"volume":30000}'
     from unnest($3::text[], $4::text[]) with ordinality as t (u, m, n)`,
    [farmId, String(from), sensorUids, sensorMacs],
  );
  return { farmId, farmUid: uid(from), mac, sensorMacs, sensorUids };
}
