import { FUTURE_TOLERANCE_MS } from '@headrace/contract/limits';
import { possibleValue } from '@headrace/contract/rules/metric-limits';
import type { AckMessage } from '@headrace/device/messages';
import type { Reading } from '@headrace/device/readings';
import type { GatewayAnswer, ValveReport } from '../commands/answers.ts';
import { explainedMs } from './clock-doubt.ts';
import type { ClockWatch } from './clock-watch.ts';
import { type DeadLetter, deadLetterOf } from './dead-letter.ts';
import type { DeviceQuery, FindDevice, FindGoneFarm, KnownDevice } from './device-directory.ts';
import {
  applyHello,
  applyListAck,
  applyState,
  applyStatus,
  type GatewayChange,
  noChange,
} from './gateway-changes.ts';
import type { LastUplink } from './last-uplinks.ts';
import type { RawUplink } from './raw-uplinks.ts';
import { hasPayload, needsCodec, readPayload } from './read-payload.ts';
import { isAhead, timeFault } from './reading-times.ts';
import type { DeviceReading } from './series-directory.ts';
import type { HeldPart, ItemPart, NetworkPart, Part, TextFact, Uplink } from './uplink.ts';

export interface DeviceFact {
  readonly device: KnownDevice;
  readonly name: TextFact['name'];
  readonly value: string;
  /** When it was said, epoch ms: one of a clock that is ahead when it was received. */
  readonly at: number;
  /** By the device's own clock, epoch ms. */
  readonly ownAt: number;
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
  rawUplinks: RawUplink[];
  deadLetters: DeadLetter[];
}

const NO_ROOM =
  "too many messages of this farm wait for their codecs. It is kept: have the sensor's last 30 days decoded anew when they are done";
/** More reasons than this are summed up: one message must not fill the list. Its whole text is kept all the same. */
const REASONS_PER_MESSAGE = 10;

/** The gateway that a part came through: to be known first, since it says which farm's devices are meant. */
export function gatewaysAskedFor({ message, topic }: HeldPart): DeviceQuery[] {
  const query = gatewayAskedFor(message, topic);
  return query ? [query] : [];
}

/** All devices that one has to know to understand a part. */
export function devicesAskedFor(
  { message, topic, part, due }: HeldPart,
  findGateway: FindDevice,
): DeviceQuery[] {
  const devEui = devEuiOf(part);
  if (devEui !== null) return [sensorAskedFor({ message, due }, devEui)];
  const query = gatewayAskedFor(message, topic);
  const gateway = query && findGateway(query);
  if (!gateway) return [];
  return part.kind === 'item'
    ? [query, { farmId: gateway.farmId, mac: part.mac, kind: part.deviceKind }]
    : [query];
}

/** All that are asked for, whether or not their gateway is known. */
export const allAskedFor = (held: HeldPart, findGateway: FindDevice): DeviceQuery[] => [
  ...gatewaysAskedFor(held),
  ...devicesAskedFor(held, findGateway),
];

function gatewayAskedFor(message: HeldPart['message'], topic: Uplink['topic']): DeviceQuery | null {
  if (topic?.transport !== 'gateway') return null;
  return { farmId: farmOfSender(message), mac: topic.mac, kind: 'gateway' };
}

/** The sensor that a network server speaks for. */
function sensorAskedFor({ message, due }: Pick<HeldPart, 'message' | 'due'>, devEui: string): DeviceQuery {
  return { farmId: due?.farmId ?? farmOfSender(message), mac: devEui, kind: 'sensor' };
}

function devEuiOf(part: Part): string | null {
  if (part.kind === 'network') return part.uplink.devEui;
  return part.kind === 'network-event' ? part.event.devEui : null;
}

function farmOfSender({ sender }: HeldPart['message']): number | null {
  return 'farmId' in sender ? sender.farmId : null;
}

/** What decides whether a reading can be kept. */
export interface Judgement {
  readonly retentionDays: number;
  /** Without it our own clock is taken to be right. */
  readonly clock?: ClockWatch | undefined;
  /** Null: there is room for so many readings of the farm, and they count; else why not. */
  readonly take: (farmId: number, readings: number, isAboutWater: boolean) => string | null;
  /** Whose a device was that no farm has; without it nobody's. */
  readonly goneFarm?: FindGoneFarm;
  /** Whether more of the farm's uplinks may wait for their codecs. */
  readonly hasRoom: (farmId: number) => boolean;
}

/** Pure: what these parts mean, given the devices. Never throws for anything that a device can say. */
export function interpret(
  parts: readonly HeldPart[],
  findDevice: FindDevice,
  judgement: Judgement,
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
    rawUplinks: [],
    deadLetters: [],
  };
  const reasons = new Map<HeldPart['message'], Set<string>>();

  for (const held of parts) {
    const refuse = (reason: string, farmId: number | null, heldUntil: Date | null = null) => {
      const known = reasons.get(held.message) ?? new Set();
      const letter = deadLetterOf(held, reason, { farmId, heldUntil });
      const key = `${letter.device} ${letter.key}`;
      if (known.has(key)) return;
      reasons.set(held.message, known.add(key));
      if (known.size <= REASONS_PER_MESSAGE) found.deadLetters.push(letter);
      else if (known.size === REASONS_PER_MESSAGE + 1)
        found.deadLetters.push(deadLetterOf(held, 'more of this message could not be kept', { farmId }));
    };
    interpretPart(held, { ...judgement, held, found, findDevice, refuse });
  }
  return found;
}

interface Context extends Judgement {
  held: HeldPart;
  found: Interpretation;
  findDevice: FindDevice;
  refuse: (reason: string, farmId: number | null, heldUntil?: Date | null) => void;
}

function interpretPart(held: HeldPart, context: Context): void {
  const { message, part } = held;
  if (part.kind === 'network' || part.kind === 'network-event') return interpretNetwork(held, part, context);
  const query = gatewayAskedFor(message, held.topic);
  const gateway = query && isSendersOwn(message, query.mac) ? context.findDevice(query) : undefined;
  if (part.kind === 'problem') context.refuse(part.reason, gateway?.farmId ?? farmOfSender(message));
  if (gateway?.kind === 'gateway') interpretGateway(held, gateway, context);
  else if (query && part.kind !== 'problem')
    context.refuse(`unknown device ${query.mac}`, farmOfUnknown(message, query, context));
}

/** What an outside broker lets through of a farm that was just deleted is kept with that farm, in case it comes back. */
const farmOfUnknown = (message: HeldPart['message'], query: DeviceQuery, { goneFarm }: Context) =>
  farmOfSender(message) ?? goneFarm?.(query) ?? null;

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
      const at = Date.parse(part.body.at);
      const fault = timeFault(at, receivedAt, context.retentionDays);
      // What it says of itself counts from when it is heard.
      if (fault && doubtOf(at, receivedAt, context)) return applyStatus(change, part.body, receivedAt);
      return fault ? refuse(fault, gateway.farmId) : applyStatus(change, part.body, receivedAt);
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
    attempts: body.attempts ?? null,
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
  held: HeldPart,
  part: Extract<Part, { kind: 'network' | 'network-event' }>,
  context: Context,
): void {
  const { message, due } = held;
  const event = part.kind === 'network' ? part.uplink : part.event;
  const device =
    message.sender.kind === 'gateway' ? undefined : context.findDevice(sensorAskedFor(held, event.devEui));
  if (device?.kind !== 'sensor') {
    const farmId = farmOfUnknown(message, sensorAskedFor(held, event.devEui), context);
    return context.refuse(`unknown device ${event.devEui}`, due?.farmId ?? farmId);
  }
  const receivedAt = message.receivedAt.getTime();
  if (part.kind === 'network' && due) return interpretPayload(device, part, receivedAt, context);
  // That it was heard counts at once, however long its codec takes.
  const isInTime = keep(device, event.at, event.link, event.facts, receivedAt, context);
  if (part.kind === 'network' && isInTime && hasPayload(part)) takeIn(message, device, part, context);
}

/** Stores it as it came. What needs no codec is read at once, all else from there. */
function takeIn(
  message: HeldPart['message'],
  device: KnownDevice,
  part: NetworkPart,
  context: Context,
): void {
  const { farmId, id: deviceId } = device;
  const { sender, receivedAt, topic, payload } = message;
  const waits = needsCodec(part, device);
  const isDue = waits && context.hasRoom(farmId);
  const keyId = sender.kind === 'network' ? sender.keyId : null;
  const at = Date.parse(part.uplink.at);
  const isAgain = message.replay !== undefined;
  const raw = { farmId, deviceId, at, receivedAt, topic, keyId, payload, isDue, isAgain };
  context.found.rawUplinks.push(raw);
  if (!waits) interpretPayload(device, part, receivedAt.getTime(), context);
  else if (!isDue) context.refuse(`not decoded: ${NO_ROOM}`, farmId);
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
  const tookMs = part.tookMs ?? null;
  const takenAt = Math.min(Date.parse(at), receivedAt);
  context.found.uplinks.push({ device, at: takenAt, fPort, fCnt, bytes, tookMs, ...outcome });
}

const heldReason = "the server's clock is behind: kept, and taken by itself when the clock is right";

/** What is said anew, was kept at a broker, or came before it was decoded, tells nothing of the clock now. */
function hearClock(farmId: number, aheadMs: number, { clock, held }: Context): void {
  const { sender, retained } = held.message;
  if (!clock || retained || held.due) return;
  const { topic } = held;
  if (sender.kind === 'gateway') clock.heard(sender.mac, farmId, aheadMs);
  else if (sender.kind === 'network') clock.heard(`key ${sender.keyId}`, farmId, aheadMs);
  else if (topic?.transport === 'gateway') clock.heard(topic.mac, farmId, aheadMs);
  else clock.heard(`network of ${farmId}`, farmId, aheadMs);
}

/** Our clock is behind, by enough to explain this time. */
function doubtOf(at: number, receivedAt: number, { clock }: Context): boolean {
  if (!clock || !isAhead(at, receivedAt)) return false;
  const doubt = clock.doubt();
  return doubt !== null && at - receivedAt <= explainedMs(doubt);
}

/** False when it is refused, or held, for its time. */
function keep(
  device: KnownDevice,
  time: string,
  readings: readonly Reading[],
  facts: readonly TextFact[],
  receivedAt: number,
  context: Context,
): boolean {
  const { held, found, refuse, retentionDays, take } = context;
  const at = Date.parse(time);
  hearClock(device.farmId, at - receivedAt, context);
  const fault = timeFault(at, receivedAt, retentionDays);
  if (fault) {
    const doubt = doubtOf(at, receivedAt, context);
    if (doubt) refuse(heldReason, device.farmId, new Date(at - FUTURE_TOLERANCE_MS));
    else refuse(fault, device.farmId);
    return false;
  }
  const isAboutWater = readings.some(({ metric }) => metric === 'valve');
  const over = readings.length > 0 ? take(device.farmId, readings.length, isAboutWater) : null;
  if (over) refuse(over, device.farmId);
  for (const reading of over ? [] : readings) {
    const { metric } = reading;
    // Of sensors it is judged where it is read; what units say is read by SQL in many places.
    const value = device.kind === 'sensor' ? reading.value : possibleValue(metric, reading.value);
    found.readings.push({ device, metric, at, value, receivedAt, held });
    if (metric === 'valve' && value !== null)
      found.valves.push({
        farmId: device.farmId,
        deviceId: device.id,
        at: Math.min(at, receivedAt),
        isOpen: value === 1,
      });
  }
  const saidAt = Math.min(at, receivedAt);
  for (const { name, value } of facts) found.facts.push({ device, name, value, at: saidAt, ownAt: at });
  return true;
}
