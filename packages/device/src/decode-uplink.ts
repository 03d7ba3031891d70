import { checker } from './check.ts';
import { ChirpstackUplink } from './chirpstack.ts';
import { parseJson } from './json.ts';
import { linkOf, type NetworkEvent } from './network-events.ts';
import { withNormalized } from './normalized-payload.ts';
import { TheThingsStackUplink } from './the-things-stack.ts';
import { toUtcTime } from './times.ts';
import type { ChirpstackTopic, TheThingsStackTopic } from './topics.ts';

/** One LoRaWAN uplink, whichever network server it came through; `at` is the network's receive time. */
export type NetworkUplink = NetworkEvent & {
  readonly fPort: number;
  readonly fCnt: number;
  /** What the device sent, for a payload codec; `null` when the server didn't pass it on. */
  readonly bytes: Uint8Array | null;
  /** What the network server decoded; `null` when it has no codec for the device. */
  readonly object: object | null;
};

export type DecodedUplink =
  | { readonly ok: true; readonly uplink: NetworkUplink }
  /** `devEui` where the message is good but is no reading. */
  | { readonly ok: false; readonly reason: string; readonly devEui?: string };

const chirpstack = checker(ChirpstackUplink);
const theThingsStack = checker(TheThingsStackUplink);

/** Never throws. Only the event `up` carries readings: don't call it for others. */
export function decodeUplink(
  topic: ChirpstackTopic | TheThingsStackTopic,
  payload: Uint8Array,
): DecodedUplink {
  const parsed = parseJson(payload);
  if (!parsed.ok) return parsed;
  return topic.transport === 'chirpstack'
    ? fromChirpstack(parsed.value, topic.devEui)
    : fromTheThingsStack(parsed.value, topic.deviceId);
}

function fromChirpstack(value: unknown, devEui: string): DecodedUplink {
  const checked = chirpstack(value);
  if (!checked.ok) return checked;
  const { deviceInfo, time, fPort = 0, fCnt = 0, data, object, rxInfo = [] } = checked.value;
  if (deviceInfo.devEui.toUpperCase() !== devEui)
    return failed('deviceInfo/devEui must be the DevEUI of the topic');
  const heard = linkOf(rxInfo.map(({ gatewayId: gateway, ...signal }) => ({ gateway, ...signal })));
  return uplink({ devEui, time, timeName: 'time', fPort, fCnt, data, dataName: 'data', object, heard });
}

function fromTheThingsStack(value: unknown, deviceId: string): DecodedUplink {
  const checked = theThingsStack(value);
  if (!checked.ok) return checked;
  const { end_device_ids: ids, received_at: forwardedAt, uplink_message: message, simulated } = checked.value;
  if (ids.device_id !== deviceId) return failed('end_device_ids/device_id must be the device of the topic');
  const devEui = ids.dev_eui.toUpperCase();
  if (simulated) return { ok: false, reason: SIMULATED, devEui };
  const { rx_metadata: receptions = [], last_battery_percentage: battery } = message;
  const heard = linkOf(
    receptions.map(({ gateway_ids: ids, ...signal }) => ({ gateway: ids?.gateway_id, ...signal })),
  );
  const power =
    battery?.value === undefined ? [] : [{ metric: 'batteryPercent' as const, value: battery.value }];
  return uplink({
    devEui,
    time: message.received_at ?? forwardedAt ?? '',
    timeName: 'received_at',
    fPort: message.f_port ?? 0,
    fCnt: message.f_cnt ?? 0,
    data: message.frm_payload,
    dataName: 'uplink_message/frm_payload',
    object: message.decoded_payload,
    normalized: message.normalized_payload,
    heard: { ...heard, link: [...heard.link, ...power] },
  });
}

const SIMULATED = "simulated in the network server's console: not a reading";

type Raw = {
  devEui: string;
  time: string;
  timeName: string;
  fPort: number;
  fCnt: number;
  data: string | undefined;
  dataName: string;
  object: unknown;
  normalized?: unknown;
  heard: Pick<NetworkEvent, 'link' | 'facts'>;
};

function uplink(raw: Raw): DecodedUplink {
  const at = toUtcTime(raw.time);
  if (at === null) return failed(`${raw.timeName} must be an ISO-8601 time with its offset`);
  const bytes = raw.data === undefined ? null : fromBase64(raw.data);
  if (bytes === undefined) return failed(`${raw.dataName} must be base64`);
  const object = withNormalized(typeof raw.object === 'object' ? raw.object : null, raw.normalized);
  const { devEui, fPort, fCnt, heard } = raw;
  const facts: NetworkEvent['facts'] = [
    { name: 'contact', value: 'up' },
    { name: 'fCnt', value: String(fCnt) },
    ...heard.facts,
  ];
  return { ok: true, uplink: { devEui, at, fPort, fCnt, bytes, object, link: heard.link, facts } };
}

function failed(reason: string): DecodedUplink {
  return { ok: false, reason };
}

function fromBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
