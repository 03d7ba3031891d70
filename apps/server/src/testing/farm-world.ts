import type { LightMyRequestResponse } from 'fastify';
import type { AccountRow, DeviceRow, FarmRow } from '../db/schema.ts';
import { buildAccount, buildFarm } from './factories.ts';
import { type Report, recordReadings } from './record-readings.ts';
import type { TestServer } from './test-server.ts';

export interface FarmWorld {
  owner: AccountRow;
  farm: FarmRow;
  headers: Record<string, string>;
  get(key: string, query: Record<string, string>): Promise<LightMyRequestResponse>;
  send(key: string, body: object): Promise<LightMyRequestResponse>;
  record(device: DeviceRow, reports: readonly Report[]): Promise<void>;
}

/** A farm of its own with its owner signed in, near Auckland's clock unless `values` say otherwise. */
export async function buildFarmWorld(
  server: TestServer,
  values: Parameters<typeof buildFarm>[2] = {},
): Promise<FarmWorld> {
  const { database } = server;
  const owner = await buildAccount(database.db);
  const farm = await buildFarm(database.db, owner.id, values);
  const headers = await server.signIn(owner);
  return {
    owner,
    farm,
    headers,
    get: (key, query) => server.call(key, { headers, query }),
    send: (key, body) => server.call(key, { headers, body }),
    record: (device, reports) => recordReadings(database, farm, device, reports),
  };
}
