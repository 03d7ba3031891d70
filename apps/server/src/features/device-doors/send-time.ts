import type { Timezone } from '@headrace/contract/farms';
import { farmOffsetSeconds } from '@headrace/contract/rules/farm-time';
import { gatewayDownTopic } from '@headrace/device/topics';
import type { MqttDoor } from '../../mqtt/door.ts';

/** Answers a gateway's hello with the time, so that it can judge what is past its time. */
export function sendTime(door: MqttDoor, gateway: { mac: string; zone: Timezone }, now: Date): Promise<void> {
  const message = { utc: now.toISOString(), offsetSeconds: farmOffsetSeconds(gateway.zone, now.getTime()) };
  return door.publish(gatewayDownTopic(gateway.mac, 'time'), JSON.stringify(message));
}
