import type { Pool } from 'pg';
import type { Db } from '../../db/client.ts';
import type { LiveEvent } from '../../live/live-bus.ts';
import type { MqttTransport } from '../../mqtt/transport.ts';
import { createGatewayIoRepo } from './gateway-io.repo.ts';
import { createGatewayIoService } from './gateway-io.service.ts';
import { createIoSender, isToTell } from './send-io-settings.ts';

export interface GatewayIoOptions {
  db: Db;
  pool: Pool;
  now: () => Date;
  log: { warn(details: object, message: string): void };
  tell: (events: LiveEvent[]) => void;
  publish: MqttTransport['publish'];
}

/** Everything of inputs and relays, put together: the calls, and what happens when gateways or tanks change. */
export function createGatewayIo({ db, pool, now, log, tell, publish }: GatewayIoOptions) {
  const io = createGatewayIoRepo(db);
  const send = createIoSender({ pool, io, publish, now });
  const quietly = (work: Promise<void>, details: object) =>
    work.catch((err: unknown) => log.warn({ err, ...details }, 'inputs and relays not told yet'));
  const service = createGatewayIoService(db, io, {
    send: (gateway) => void quietly(send(gateway), gateway),
    tell,
    now,
  });

  return {
    service,
    /** The gateway has come back: it is told all of it again. */
    hello: (gateway: { farmId: number; gatewayId: number }) => quietly(send(gateway, true), gateway),
    /** Devices of a farm were added, changed or removed: bindings may end, levels may mean something else. */
    devicesChanged: (farmId: number) => quietly(service.look(farmId), { farmId }),
    /** What changed without us (setpoints that devices report), and what was not sent. */
    async tick(): Promise<void> {
      await service.look(null);
      for (const gateway of await io.settled(null)) {
        const key = { farmId: gateway.farmId, gatewayId: gateway.deviceId };
        if (isToTell(gateway, false, now())) await quietly(send(key), key);
      }
    },
  };
}
export type GatewayIo = ReturnType<typeof createGatewayIo>;
