import type { AckMessage } from '@headrace/device/messages';
import type { Reading } from '@headrace/device/metrics';
import type { GatewayAnswer, ValveReport } from '../commands/answers.ts';
import { type DeadLetter, deadLetterOf } from './dead-letter.ts';
import type { DeviceQuery, FindDevice, KnownDevice } from './device-directory.ts';
import {
  applyHello,
  applyListAck,
  applyState,
  applyStatus,
  type GatewayChange,
  noChange,
} from './gateway-changes.ts';
import type { LastUplink } from './last-uplinks.ts';
import { readPayload } from './read-payload.ts';
import { timeFault } from './reading-times.ts';
import type { DeviceReading } from './series-directory.ts';
import type { HeldPart, ItemPart, NetworkPart, Part, TextFact, Uplink } from './uplink.ts';

export interface DeviceFact {
  readonly device: KnownDevice;
  readonly name: TextFact['name'];
  readonly value: string;
  /** Epoch ms. */
  readonly at: number;
}

export interface Hello {
  readonly gateway: KnownDevice;
  readonly bootId: string;
  readonly receivedAt: Date;
}

/** The last word on a configuration of a sensor. */
export interface ConfigAnswer {
  readonly farmId: number;
  readonly uid: string;
  /** Epoch ms. */
  readonly at: number;
  /** Why it was not done; null: it was. */
  readonly error: string | null;
}

/** A gateway holds the settings of its inputs and relays up to this number. */
export interface IoTaken {
  readonly gateway: KnownDevice;
  readonly rev: number;
  /** Epoch ms. */
  readonly at: number;
}

/** What a batch of parts means, ready to be written. */
export interface Interpretation {
  readings: DeviceReading[];
  facts: DeviceFact[];
  gateways: Map<number, GatewayChange>;
  configAnswers: ConfigAnswer[];
  ioTaken: IoTaken[];
  answers: GatewayAnswer[];
  valves: ValveReport[];
  hellos: Hello[];
  uplinks: LastUplink[];
  deadLetters: DeadLetter[];
}

/** More reasons than this are summed up: one message must not fill the list. */
const REASONS_PER_MESSAGE = 10;

/** The gateway that a part came through: to be known first, since it says which farm's devices are meant. */
export function gatewaysAskedFor({ message, topic }: HeldPart): DeviceQuery[] {
  const query = gatewayAskedFor(message, topic);
  return query ? [query] : [];
}

/** All devices that one has to know to understand a part. */
export function devicesAskedFor({ message, topic, part }: HeldPart, findGateway: FindDevice): DeviceQuery[] {
  const devEui = devEuiOf(part);
  if (devEui !== null) return [sensorAskedFor(message, devEui)];
  const query = gatewayAskedFor(message, topic);
  const gateway = query && findGateway(query);
  if (!gateway) return [];
  return part.kind === 'item'
    ? [query, { farmId: gateway.farmId, mac: part.mac, kind: part.deviceKind }]
    : [query];
}

function gatewayAskedFor(message: HeldPart['message'], topic: Uplink['topic']): DeviceQuery | null {
  if (topic?.door !== 'gateway') return null;
  return { farmId: farmOfSender(message), mac: topic.mac, kind: 'gateway' };
}

/** The sensor that a network server speaks for. */
export function sensorAskedFor(message: HeldPart['message'], devEui: string): DeviceQuery {
  return { farmId: farmOfSender(message), mac: devEui, kind: 'sensor' };
}

function devEuiOf(part: Part): string | null {
  if (part.kind === 'network') return part.uplink.devEui;
  return part.kind === 'network-event' ? part.event.devEui : null;
}

function farmOfSender({ sender }: HeldPart['message']): number | null {
  return 'farmId' in sender ? sender.farmId : null;
}

/** Pure: what these parts mean, given the devices. Never throws for anything that a device can say. */
export function interpret(
  parts: readonly HeldPart[],
  findDevice: FindDevice,
  retentionDays: number,
): Interpretation {
  const found: Interpretation = {
    readings: [],
    facts: [],
    gateways: new Map(),
    configAnswers: [],
    ioTaken: [],
    answers: [],
    valves: [],
    hellos: [],
    uplinks: [],
    deadLetters: [],
  };
  const reasons = new Map<HeldPart['message'], Set<string>>();

  for (const held of parts) {
    const refuse = (reason: string, farmId: number | null) => {
      const known = reasons.get(held.message) ?? new Set();
      if (known.has(reason)) return;
      reasons.set(held.message, known.add(reason));
      if (known.size <= REASONS_PER_MESSAGE) found.deadLetters.push(deadLetterOf(held, reason, farmId));
      else if (known.size === REASONS_PER_MESSAGE + 1)
        found.deadLetters.push(deadLetterOf(held, 'more of this message could not be kept', farmId));
    };
    interpretPart(held, { found, findDevice, retentionDays, refuse });
  }
  return found;
}

interface Context {
  found: Interpretation;
  findDevice: FindDevice;
  retentionDays: number;
  refuse: (reason: string, farmId: number | null) => void;
}

function interpretPart(held: HeldPart, context: Context): void {
  const { message, part } = held;
  if (part.kind === 'network' || part.kind === 'network-event')
    return interpretNetwork(message, part, context);
  const query = gatewayAskedFor(message, held.topic);
  const gateway = query && isSendersOwn(message, query.mac) ? context.findDevice(query) : undefined;
  if (part.kind === 'problem') context.refuse(part.reason, gateway?.farmId ?? farmOfSender(message));
  if (gateway?.kind === 'gateway') interpretGateway(held, gateway, context);
  else if (query && part.kind !== 'problem')
    context.refuse(`unknown device ${query.mac}`, farmOfSender(message));
}

function isSendersOwn({ sender }: HeldPart['message'], mac: string): boolean {
  switch (sender.kind) {
    case 'gateway':
      return sender.mac === mac;
    case 'network':
      return false;
    case 'server':
    case 'broker':
      return true;
    default:
      return sender satisfies never;
  }
}

function interpretGateway({ message, part }: HeldPart, gateway: KnownDevice, context: Context): void {
  const { found, refuse } = context;
  const receivedAt = message.receivedAt.getTime();
  const change = found.gateways.get(gateway.id) ?? noChange(gateway);
  found.gateways.set(gateway.id, change);
  // A will is said by the broker, and what a broker had kept was said some time ago.
  const isSaidNow = !(part.kind === 'state' && !part.body.online) && !message.retained;
  if (isSaidNow) change.contactAt = Math.max(change.contactAt ?? 0, receivedAt);
  switch (part.kind) {
    case 'state':
      return applyState(change, part.body, receivedAt);
    case 'hello':
      // Through an outside broker it may come after the will that followed it: there `state` alone says who is online.
      if (message.sender.kind !== 'broker') applyState(change, { online: true }, receivedAt);
      applyHello(change, part.body, receivedAt);
      found.hellos.push({ gateway, bootId: part.body.bootId, receivedAt: message.receivedAt });
      return;
    case 'status': {
      const fault = timeFault(Date.parse(part.body.at), receivedAt, context.retentionDays);
      return fault ? refuse(fault, gateway.farmId) : applyStatus(change, part.body);
    }
    case 'ack':
      return interpretAck(part.body, gateway, change, receivedAt, context);
    case 'item':
      return interpretItem(part, gateway, receivedAt, context);
    case 'network':
    case 'network-event':
    case 'problem':
      return;
    default:
      part satisfies never;
  }
}

function interpretAck(
  body: AckMessage,
  gateway: KnownDevice,
  change: GatewayChange,
  receivedAt: number,
  { found }: Context,
): void {
  const at = Math.min(Date.parse(body.at), receivedAt);
  found.answers.push({
    farmId: gateway.farmId,
    gatewayId: gateway.id,
    cmdId: body.cmdId,
    mac: body.mac ?? null,
    answer: body.state,
    at,
    receivedAt,
    error: body.error ?? '',
    done: body.done ?? null,
    total: body.total ?? null,
  });
  if (body.state !== 'done' && body.state !== 'failed') return;
  const [, about, rev] = /^(list|io)-(\d{1,9})$/.exec(body.cmdId) ?? [];
  if (about === undefined) found.configAnswers.push(configAnswer(gateway.farmId, body, at));
  else if (body.state === 'failed') return;
  else if (about === 'list') applyListAck(change, Number(rev), at);
  else found.ioTaken.push({ gateway, rev: Number(rev), at });
}

function configAnswer(farmId: number, { cmdId: uid, state, error }: AckMessage, at: number): ConfigAnswer {
  return { farmId, uid, at, error: state === 'done' ? null : error || 'The device gave no reason.' };
}

function interpretItem(item: ItemPart, gateway: KnownDevice, receivedAt: number, context: Context): void {
  const { farmId } = gateway;
  const device = context.findDevice({ farmId, mac: item.mac, kind: item.deviceKind });
  if (!device) return context.refuse(`unknown device ${item.mac}`, farmId);
  if (device.kind !== item.deviceKind)
    return context.refuse(`device ${item.mac} is a ${device.kind}, not a ${item.deviceKind}`, farmId);
  keep(device, item.at, item.readings, item.facts, receivedAt, context);
}

function interpretNetwork(
  message: HeldPart['message'],
  part: Extract<Part, { kind: 'network' | 'network-event' }>,
  context: Context,
): void {
  const event = part.kind === 'network' ? part.uplink : part.event;
  const device =
    message.sender.kind === 'gateway' ? undefined : context.findDevice(sensorAskedFor(message, event.devEui));
  if (device?.kind !== 'sensor')
    return context.refuse(`unknown device ${event.devEui}`, farmOfSender(message));
  const receivedAt = message.receivedAt.getTime();
  const isInTime = keep(device, event.at, event.link, event.facts, receivedAt, context);
  if (part.kind === 'network' && isInTime) interpretPayload(device, part, receivedAt, context);
}

function interpretPayload(
  device: KnownDevice,
  part: NetworkPart,
  receivedAt: number,
  context: Context,
): void {
  const payload = readPayload(device, part);
  if (!payload) return;
  const { fPort, fCnt, bytes, at } = part.uplink;
  const { readings, ...outcome } = payload;
  for (const problem of outcome.problems) context.refuse(`not decoded: ${problem}`, device.farmId);
  keep(device, at, readings, [], receivedAt, context);
  context.found.uplinks.push({ device, at: Date.parse(at), fPort, fCnt, bytes, ...outcome });
}

/** False when it is refused for its time. */
function keep(
  device: KnownDevice,
  time: string,
  readings: readonly Reading[],
  facts: readonly TextFact[],
  receivedAt: number,
  { found, refuse, retentionDays }: Context,
): boolean {
  const at = Date.parse(time);
  const fault = timeFault(at, receivedAt, retentionDays);
  if (fault) {
    refuse(fault, device.farmId);
    return false;
  }
  for (const { metric, value } of readings) {
    found.readings.push({ device, metric, at, value });
    if (metric === 'valve' && value !== null)
      found.valves.push({ farmId: device.farmId, deviceId: device.id, at, isOpen: value === 1 });
  }
  for (const { name, value } of facts) found.facts.push({ device, name, value, at });
  return true;
}
