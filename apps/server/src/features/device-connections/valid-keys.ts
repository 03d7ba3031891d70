import type { Db } from '../../db/client.ts';

/** Keys of gateways that are still on a farm by that MAC address. `k` is gateway_key. */
export const validGatewayKeys = (db: Db) =>
  db
    .selectFrom('gateway_key as k')
    .innerJoin('device as d', (join) =>
      join
        .onRef('d.farm_id', '=', 'k.farm_id')
        .onRef('d.id', '=', 'k.device_id')
        .onRef('d.mac', '=', 'k.mac'),
    )
    .innerJoin('farm as f', 'f.id', 'k.farm_id')
    .where('d.kind', '=', 'gateway')
    .where('d.deleted_at', 'is', null)
    .where('f.deleted_at', 'is', null);

/** Keys of network servers that nobody has withdrawn. `k` is integration_key. */
export const validIntegrationKeys = (db: Db) =>
  db
    .selectFrom('integration_key as k')
    .innerJoin('farm as f', 'f.id', 'k.farm_id')
    .where('k.deleted_at', 'is', null)
    .where('f.deleted_at', 'is', null);
