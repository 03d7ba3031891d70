import type { Timezone } from '@headrace/contract/farms';
import { farmOffsetSeconds } from '@headrace/contract/rules/farm-time';
import { gatewayDownTopic } from '@headrace/device/topics';
import type { Db } from '../../db/client.ts';
import type { MqttTransport } from '../../mqtt/transport.ts';

interface TimedGateway {
  readonly farmId: number;
  readonly deviceId: number;
  readonly mac: string;
  readonly zone: Timezone;
}

/** The body of `down/time`: by how many seconds the farm's clock is ahead of UTC at present, too. */
export const timeFor = (zone: Timezone, now: Date) => ({
  utc: now.toISOString(),
  offsetSeconds: farmOffsetSeconds(zone, now.getTime()),
});

/**
 * Tells a gateway the time, so that it can judge what is past its time and its units know the farm's clock; and notes what it was told.
 * The time is that at which the message leaves: after a broker was away, hellos may be heard before we can speak again.
 */
export async function sendTime(
  { db, publish }: { readonly db: Db; readonly publish: MqttTransport['publish'] },
  { farmId, deviceId, mac, zone }: TimedGateway,
  now: () => Date,
): Promise<void> {
  let sent = timeFor(zone, now());
  await publish(gatewayDownTopic(mac, 'time'), () => {
    sent = timeFor(zone, now());
    return JSON.stringify(sent);
  });
  await db
    .updateTable('gateway_state')
    .set({ told_offset_s: sent.offsetSeconds })
    .where('farm_id', '=', farmId)
    .where('device_id', '=', deviceId)
    .execute();
}
