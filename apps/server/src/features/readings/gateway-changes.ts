import { type HelloMessage, type StateMessage, StatusMessage } from '@headrace/device/messages';
import type { KnownDevice } from './device-directory.ts';

/** What a batch says of one gateway; absent is unchanged. Times in epoch ms. */
export interface GatewayChange {
  readonly gateway: KnownDevice;
  contactAt: number | null;
  /** It said more than that it is there. */
  isNews: boolean;
  state: { online: boolean; at: number } | null;
  /** The newest `up/hello`: another boot, perhaps with another list. */
  hello: {
    at: number;
    bootId: string;
    listRev: number | null;
    info: Members;
    supports: readonly string[];
  } | null;
  /** The highest list that it acknowledged. */
  listAck: { at: number; rev: number } | null;
  /** Of the newest `up/status`. */
  status: { at: number; settings: Members; info: Members; data: Members } | null;
}

type Members = Record<string, unknown>;

export function noChange(gateway: KnownDevice): GatewayChange {
  return {
    gateway,
    contactAt: null,
    isNews: false,
    state: null,
    hello: null,
    listAck: null,
    status: null,
  };
}

/**
 * The last one received counts, whatever its time says: states arrive in the order in which they were sent, on one connection to the
 * embedded broker, or from an outside broker at the one server that listens to them.
 */
export function applyState(change: GatewayChange, body: StateMessage, receivedAt: number): void {
  change.isNews = true;
  change.state = { online: body.online, at: receivedAt };
}

const DAY_MS = 86_400_000;

/**
 * If a server dies before it has stored a hello, the hello comes again, perhaps after a newer one. It counts from its own time, unless
 * that is impossible (ahead, or a day off: the clock was not set yet). Without a time it counts from when it was received.
 */
export function applyHello(change: GatewayChange, body: HelloMessage, receivedAt: number): void {
  const saidAt = body.at === undefined ? receivedAt : Date.parse(body.at);
  const at = Math.abs(receivedAt - saidAt) < DAY_MS ? Math.min(saidAt, receivedAt) : receivedAt;
  change.isNews = true;
  if (change.hello && at < change.hello.at) return;
  const { bootId, listRev = null, firmwareVersion, bootloaderVersion, supports = [] } = body;
  change.hello = { at, bootId, listRev, info: present({ firmwareVersion, bootloaderVersion }), supports };
  if (listRev !== null && change.listAck && change.listAck.at <= at) change.listAck = null;
}

/** What was acknowledged stays so until a newer hello names another list. */
export function applyListAck(change: GatewayChange, rev: number, at: number): void {
  change.isNews = true;
  if (rev >= (change.listAck?.rev ?? 0)) change.listAck = { at, rev };
}

/** A status from a clock that is ahead counts from when it was received, so that it cannot hide later ones. */
export function applyStatus(change: GatewayChange, body: StatusMessage, receivedAt: number): void {
  const at = Math.min(Date.parse(body.at), receivedAt);
  change.isNews = true;
  if (change.status && at < change.status.at) return;
  const { settings, info, data } = StatusMessage.properties;
  change.status = {
    at,
    settings: { ...change.status?.settings, ...knownMembers(settings.properties, body.settings) },
    info: { ...change.status?.info, ...knownMembers(info.properties, body.info) },
    data: { ...change.status?.data, ...knownMembers(data.properties, body.data) },
  };
}

/** Only members of the agreement are kept: what else a device sends is neither checked nor bounded. */
function knownMembers(known: object, given: Members | undefined): Members {
  return present(Object.fromEntries(Object.keys(known).map((name) => [name, given?.[name]])));
}

function present(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
