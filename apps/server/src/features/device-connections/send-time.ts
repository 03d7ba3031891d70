import type { Timezone } from '@headrace/contract/farms';
import { farmOffsetSeconds } from '@headrace/contract/rules/farm-time';
import { gatewayDownTopic } from '@headrace/device/topics';
import type { MqttTransport } from '../../mqtt/transport.ts';

/** Answers a gateway's hello with the time, so that it can judge what is past its time. */
export function sendTime(
  transport: MqttTransport,
  gateway: { mac: string; zone: Timezone },
  now: Date,
): Promise<void> {
  const message = { utc: now.toISOString(), offsetSeconds: farmOffsetSeconds(gateway.zone, now.getTime()) };
  return transport.publish(gatewayDownTopic(gateway.mac, 'time'), JSON.stringify(message));
}
