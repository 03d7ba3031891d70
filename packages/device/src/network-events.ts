import { checker } from './check.ts';
import { ChirpstackEvent } from './chirpstack.ts';
import { parseJson } from './json.ts';
import type { NetworkMetric } from './metrics.ts';
import type { Reading } from './readings.ts';
import { TheThingsStackEvent } from './the-things-stack.ts';
import { toUtcTime } from './times.ts';
import type { ChirpstackTopic, TheThingsStackTopic } from './topics.ts';

/**
 * What a network server tells of a sensor beside its payload. None of it is a measurement: it says that the sensor was heard, how well,
 * and how its power is.
 */
export type NetworkEvent = {
  /** 16 upper-case hex digits: the sensor's MAC address. */
  readonly devEui: string;
  /** The network's time, ISO-8601 UTC. */
  readonly at: string;
  readonly link: readonly Reading<NetworkMetric | 'batteryPercent'>[];
  readonly facts: readonly NetworkFact[];
};

export type NetworkFact = {
  /**
   * `contact`: the last thing that was heard of it (up, join, status, ack). `gateway`: the one that heard it best. `fCnt`: its frame
   * counter. `networkLog`: what the network server had to complain of. `location`: where the network believes it to be.
   */
  readonly name: 'contact' | 'gateway' | 'fCnt' | 'networkLog' | 'location';
  readonly value: string;
};

/** `event` is null where there is nothing to keep: a downlink on its way says nothing of the sensor. */
export type DecodedEvent =
  | { readonly ok: true; readonly event: NetworkEvent | null }
  | { readonly ok: false; readonly reason: string };

const chirpstack = checker(ChirpstackEvent);
const theThingsStack = checker(TheThingsStackEvent);
const nothing: DecodedEvent = { ok: true, event: null };
const chirpstackEvents = ['join', 'status', 'ack', 'log', 'location'];
const theThingsStackEvents = ['join', 'down/ack', 'down/nack', 'down/failed', 'location/solved'];

/** For every event but `up`. Never throws. */
export function decodeNetworkEvent(
  topic: ChirpstackTopic | TheThingsStackTopic,
  payload: Uint8Array,
): DecodedEvent {
  const isChirpstack = topic.transport === 'chirpstack';
  if (!(isChirpstack ? chirpstackEvents : theThingsStackEvents).includes(topic.event)) return nothing;
  const parsed = parseJson(payload);
  if (!parsed.ok) return parsed;
  return isChirpstack ? fromChirpstack(parsed.value, topic) : fromTheThingsStack(parsed.value, topic.event);
}

function fromChirpstack(value: unknown, { devEui, event }: ChirpstackTopic): DecodedEvent {
  const checked = chirpstack(value);
  if (!checked.ok) return checked;
  const body = checked.value;
  if (body.deviceInfo.devEui.toUpperCase() !== devEui)
    return { ok: false, reason: 'deviceInfo/devEui must be the DevEUI of the topic' };
  switch (event) {
    case 'join':
      return eventAt(devEui, 'time', body.time, [contact(event)]);
    case 'status':
      return eventAt(devEui, 'time', body.time, [contact(event)], powerOf(body));
    case 'ack':
      // Without `acknowledged` the downlink timed out: the sensor was not heard.
      return body.acknowledged ? eventAt(devEui, 'time', body.time, [contact(event)]) : nothing;
    case 'log': {
      const said = `${body.level ?? 'INFO'} ${body.code ?? 'UNKNOWN'}: ${body.description ?? ''}`;
      return eventAt(devEui, 'time', body.time, [{ name: 'networkLog', value: plainText(said) }]);
    }
    default:
      return eventAt(devEui, 'time', body.time, locationFacts(body.location));
  }
}

/** DevStatus: no battery level is sent where there is external power or nothing was measured. */
function powerOf(body: ChirpstackEvent): NetworkEvent['link'] {
  const isExternal = body.externalPowerSource ?? false;
  const hasLevel = !isExternal && !body.batteryLevelUnavailable && body.batteryLevel !== undefined;
  return [
    { metric: 'marginDb', value: body.margin ?? 0 },
    { metric: 'externalPower', value: Number(isExternal) },
    ...(hasLevel ? [{ metric: 'batteryPercent' as const, value: body.batteryLevel ?? null }] : []),
  ];
}

function fromTheThingsStack(value: unknown, event: string): DecodedEvent {
  const checked = theThingsStack(value);
  if (!checked.ok) return checked;
  const {
    end_device_ids: ids,
    received_at: at,
    simulated,
    downlink_failed: failed,
    location_solved: solved,
  } = checked.value;
  // A failed downlink names the device only by the network server's own name.
  if (ids.dev_eui === undefined || simulated) return nothing;
  const devEui = ids.dev_eui.toUpperCase();
  switch (event) {
    case 'down/failed': {
      const why = failed?.error?.message_format ?? failed?.error?.name ?? 'no reason given';
      return eventAt(devEui, 'received_at', at, [
        { name: 'networkLog', value: plainText(`downlink failed: ${why}`) },
      ]);
    }
    case 'location/solved':
      return eventAt(devEui, 'received_at', at, locationFacts(solved?.location));
    default:
      return eventAt(devEui, 'received_at', at, [contact(event.replace('down/', ''))]);
  }
}

function eventAt(
  devEui: string,
  timeName: string,
  time: string | undefined,
  facts: NetworkFact[],
  link: NetworkEvent['link'] = [],
): DecodedEvent {
  const at = toUtcTime(time ?? '');
  if (at === null) return { ok: false, reason: `${timeName} must be an ISO-8601 time with its offset` };
  return facts.length + link.length > 0 ? { ok: true, event: { devEui, at, link, facts } } : nothing;
}

const contact = (value: string): NetworkFact => ({ name: 'contact', value });

function locationFacts(
  place: { latitude?: number; longitude?: number; accuracy?: number } | undefined,
): NetworkFact[] {
  if (place?.latitude === undefined || place.longitude === undefined) return [];
  const accuracy = place.accuracy ? ` ±${Math.round(place.accuracy)} m` : '';
  return [
    { name: 'location', value: `${place.latitude.toFixed(6)},${place.longitude.toFixed(6)}${accuracy}` },
  ];
}

type Reception = { readonly gateway: string | undefined; readonly rssi?: number; readonly snr?: number };

/** Of the gateways that heard an uplink the one with the best signal to noise, then strength. */
export function linkOf(receptions: readonly Reception[]): Pick<NetworkEvent, 'link' | 'facts'> {
  const best = receptions.toSorted(
    (a, b) => (b.snr ?? -Infinity) - (a.snr ?? -Infinity) || (b.rssi ?? -Infinity) - (a.rssi ?? -Infinity),
  )[0];
  return {
    link: [
      ...(best?.rssi === undefined ? [] : [{ metric: 'rssiDbm' as const, value: best.rssi }]),
      ...(best?.snr === undefined ? [] : [{ metric: 'snrDb' as const, value: best.snr }]),
    ],
    facts: best?.gateway ? [{ name: 'gateway', value: plainText(best.gateway) }] : [],
  };
}

/** PostgreSQL keeps no NUL in text, and no page needs the others. */
function plainText(text: string): string {
  return text
    .replaceAll(/[^\x20-\x7e\u00a0-\uffff]+/g, ' ')
    .trim()
    .slice(0, 200);
}
