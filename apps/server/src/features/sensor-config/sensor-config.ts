import type { GatewayIoOptions } from '../gateway-io/gateway-io.ts';
import { createConfigSender } from './send-configs.ts';
import { createSensorConfigRepo, type Waiting } from './sensor-config.repo.ts';
import { createSensorConfigService } from './sensor-config.service.ts';

/** Everything of configurations of sensors, put together: the calls, and what is sent when a gateway is there. */
export function createSensorConfig({ db, pool, now, log, tell, publish }: GatewayIoOptions) {
  const configs = createSensorConfigRepo(db);
  const send = createConfigSender({ pool, configs, publish, now });
  const quietly = (work: Promise<void>, key: Waiting) =>
    work.catch((err: unknown) => log.warn({ err, ...key }, 'configurations of sensors not sent yet'));

  return {
    service: createSensorConfigService(configs, {
      send: (gateway) => void quietly(send(gateway), gateway),
      tell,
    }),
    /** The gateway has come back: what it had not answered is sent once more. */
    hello: (gateway: Waiting) => quietly(send(gateway, true), gateway),
    /** Sends what still waits, as after a crash between storing and sending. */
    async tick(): Promise<void> {
      for (const gateway of await configs.waiting(now())) await quietly(send(gateway), gateway);
    },
  };
}
