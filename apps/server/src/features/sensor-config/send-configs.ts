import type { Pool } from 'pg';
import { sensorConfigTypes } from '@headrace/contract/sensor-types';
import type { ConfigDown } from '@headrace/device/downlinks';
import { gatewayDownTopic } from '@headrace/device/topics';
import { inTransaction } from '../../db/partitions.ts';
import type { MqttTransport } from '../../mqtt/transport.ts';
import type { DueConfig, SensorConfigRepo, Waiting } from './sensor-config.repo.ts';

const names = new Map<number, string>(Object.entries(sensorConfigTypes).map(([name, type]) => [type, name]));

interface Options {
  pool: Pool;
  configs: SensorConfigRepo;
  publish: MqttTransport['publish'];
  now: () => Date;
}

/**
 * Sends a gateway what waits for the sensors that it speaks for, in order; after a hello (`isBack`) also what it has not
 * answered. One server at a time; a gateway does nothing twice for an id that it has seen.
 */
export function createConfigSender({ pool, configs, publish, now }: Options) {
  async function sendOne({ farmId }: Waiting, config: DueConfig): Promise<void> {
    if (config.expiresAt <= now() || !(await configs.claim(farmId, config.uid, now()))) return;
    try {
      await publish(gatewayDownTopic(config.gatewayMac, 'config'), JSON.stringify(messageOf(config)));
    } catch (error) {
      await configs.unclaim(farmId, config.uid);
      throw error;
    }
  }

  return (key: Waiting, isBack = false): Promise<void> =>
    inTransaction(pool, async (client) => {
      await client.query("select pg_advisory_xact_lock(hashtext('headrace configs'), $1)", [key.gatewayId]);
      for (const config of await configs.due(key, isBack, now())) await sendOne(key, config);
    });
}

function messageOf({ uid, type, config, expiresAt, sensorMac }: DueConfig): ConfigDown {
  return {
    configId: uid,
    mac: sensorMac,
    configType: names.get(type) ?? String(type),
    config,
    expiresAt: expiresAt.toISOString(),
  };
}
