import type { Pool } from 'pg';
import { gatewayDownTopic } from '@headrace/device/topics';
import { inTransaction } from '../../db/partitions.ts';
import type { MqttTransport } from '../../mqtt/transport.ts';
import type { GatewayIoRepo, IoGatewayRow } from './gateway-io.repo.ts';
import { messageOf } from './io-message.ts';

/** A message that a connected gateway never acknowledged is sent again after this, ms. */
const AGAIN_MS = 10 * 60_000;

interface Options {
  pool: Pool;
  io: GatewayIoRepo;
  publish: MqttTransport['publish'];
  now: () => Date;
}

/** Whether a gateway is to be told now. */
export function isToTell(gateway: IoGatewayRow, isBack: boolean, now: Date): boolean {
  if (gateway.rev === 0 || gateway.mac === '') return false;
  if (isBack) return true;
  if (!gateway.online) return false;
  if (gateway.sentRev < gateway.rev) return true;
  return gateway.ackedRev < gateway.rev && now.getTime() - (gateway.sentAt?.getTime() ?? 0) >= AGAIN_MS;
}

/**
 * Tells a gateway how its relays are to behave: when that changes, and whenever it comes back. One server at a time tells
 * it; it is noted as sent when the broker took it.
 */
export function createIoSender({ pool, io, publish, now }: Options) {
  return ({ farmId, gatewayId }: { farmId: number; gatewayId: number }, isBack = false): Promise<void> =>
    inTransaction(pool, async (client) => {
      await client.query("select pg_advisory_xact_lock(hashtext('headrace io-settings'), $1)", [gatewayId]);
      const gateway = await io.byId(farmId, gatewayId);
      if (!gateway || !isToTell(gateway, isBack, now())) return;
      const message = messageOf(gateway.rev, gateway.told, now().getTime());
      await publish(gatewayDownTopic(gateway.mac, 'io-settings'), JSON.stringify(message));
      await io.noteSent(farmId, gatewayId, gateway.rev, now());
    });
}
