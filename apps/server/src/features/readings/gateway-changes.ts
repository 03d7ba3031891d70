import { type HelloMessage, type StateMessage, StatusMessage } from '@headrace/device/messages';
import type { KnownDevice } from './device-directory.ts';

/** What a batch says of one gateway; absent is unchanged. Times in epoch ms. */
export interface GatewayChange {
  readonly gateway: KnownDevice;
  contactAt: number | null;
  /** It said more than that it is there. */
  isNews: boolean;
  state: { online: boolean; at: number } | null;
  bootId: string | null;
  ackedRev: number | null;
  /** Of the newest `up/status`. */
  status: { at: number; settings: Members; info: Members; data: Members } | null;
  /** Versions of the newest `up/hello`. */
  helloInfo: Members | null;
}

type Members = Record<string, unknown>;

export function noChange(gateway: KnownDevice): GatewayChange {
  return {
    gateway,
    contactAt: null,
    isNews: false,
    state: null,
    bootId: null,
    ackedRev: null,
    status: null,
    helloInfo: null,
  };
}

/**
 * `at` is when it said so by its own clock, never later than when we heard it: a clock that is ahead must not keep
 * a gateway online after its will. Without a time it counts from when we heard it. The older of two states gives way.
 */
export function applyState(change: GatewayChange, body: StateMessage, receivedAt: number): void {
  const at = Math.min(body.at === undefined ? receivedAt : Date.parse(body.at), receivedAt);
  change.isNews = true;
  if (!change.state || at >= change.state.at) change.state = { online: body.online, at };
}

export function applyHello(change: GatewayChange, body: HelloMessage, receivedAt: number): void {
  applyState(change, { online: true }, receivedAt);
  change.bootId = body.bootId;
  if (body.listRev !== undefined) change.ackedRev = body.listRev;
  const { firmwareVersion, bootloaderVersion } = body;
  change.helloInfo = { ...change.helloInfo, ...present({ firmwareVersion, bootloaderVersion }) };
}

export function applyStatus(change: GatewayChange, body: StatusMessage): void {
  const at = Date.parse(body.at);
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
