import type { GatewayDownKind, GatewayMessageKind } from '@headrace/device/topics';
import { decodeGatewayMessage, type GatewayMessage } from '@headrace/device/decode';
import { demoFarms } from '@headrace/demo/demo-farms';
import type { FarmProfile, SensorProfile } from '@headrace/demo/profile';
import { vi } from 'vitest';
import { createFarmModel } from '../farm-model.ts';
import type { GatewayLink } from '../links.ts';
import type { RadioConditions } from '../live-context.ts';
import { createLiveFarm } from '../live-farm.ts';
import { createScheduler } from '../scheduler.ts';
import { emptyLive, type LiveState } from '../state.ts';

export const [rakaia] = demoFarms() as [FarmProfile];
export const inc = rakaia.gateways.find(({ type }) => type === 0)?.mac ?? '';
export const lora = rakaia.gateways.find(({ type }) => type === 1)?.mac ?? '';
export const unitNamed = (name: string) => rakaia.sprinklers.find((unit) => unit.name === name)?.mac ?? '';
export const sensorNamed = (name: string) => rakaia.sensors.find((one) => one.name === name)?.mac ?? '';
/** 16:00 on a February day in New Zealand: nothing is watered by plan before 18:00. */
export const afternoon = Date.UTC(2026, 1, 10, 3);

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;

type Heard = { readonly mac: string; readonly sentAt: number; readonly message: GatewayMessage };
export type FieldOptions = {
  readonly speed?: number;
  readonly radio?: Partial<RadioConditions>;
  /** What a run before left; without, a farm that was reckoned until now. */
  readonly state?: LiveState;
  /** A disk that is never done: nothing that waits for it may be said. */
  readonly diskHangs?: boolean;
  /** A server that never tells the time; without, it does after every start, as the agreement says. */
  readonly tellsNoTime?: boolean;
  readonly profile?: FarmProfile;
};

/**
 * A farm whose links only write down what is said; every message is checked as the server would. For fake timers: call `vi.useFakeTimers`
 * first and `stop` at the end.
 */
export function liveField(options: FieldOptions = {}) {
  const profile = options.profile ?? rakaia;
  const model = createFarmModel(profile, 1);
  const startedAt = Date.now();
  const said: Heard[] = [];
  const faults: string[] = [];
  const uplinks: { item: { mac: string; at: string; values: object }; device: SensorProfile }[] = [];
  const events: { kind: string; device: string }[] = [];
  let isUp = true;
  const down = new Set<string>();
  const restarts: string[] = [];

  const linkOf = (mac: string): GatewayLink => ({
    isReady: () => isUp && !down.has(mac),
    publish: (kind: GatewayMessageKind, body: object) => {
      const decoded = decodeGatewayMessage(kind, Buffer.from(JSON.stringify(body)));
      if (!decoded.ok || decoded.problems.length > 0) faults.push(JSON.stringify(decoded));
      else said.push({ mac, sentAt: Date.now(), message: decoded.message });
      return Promise.resolve();
    },
    restart: () => {
      restarts.push(mac);
      greet(mac);
    },
    setDown: (isDown) => {
      if (isDown) down.add(mac);
      else if (down.delete(mac)) greet(mac);
    },
    stop: () => Promise.resolve(),
  });
  const state: LiveState = options.state ?? {
    ...emptyLive(),
    sensors: Object.fromEntries(
      model.sensors.map((sensor) => [sensor.profile.mac, sensor.model.start(startedAt)]),
    ),
    reportedAt: Object.fromEntries(model.sensors.map((sensor) => [sensor.profile.mac, startedAt])),
  };
  const scheduler = createScheduler(Date.now);
  let kept = '';
  /** All who ask in one go share a write. */
  let writing: Promise<void> | null = null;
  const write = (): void => {
    writing = null;
    kept = JSON.stringify(live.snapshot());
  };
  const live = createLiveFarm({
    farm: model,
    links: {
      gateways: new Map(profile.gateways.map(({ mac }) => [mac, linkOf(mac)])),
      networkServer: {
        isReady: () => isUp,
        publish: (item, device) => {
          uplinks.push({ item, device });
          return Promise.resolve();
        },
        publishEvent: (device, { kind }) => {
          events.push({ kind, device: device.name });
          return Promise.resolve();
        },
        stop: () => Promise.resolve(),
      },
    },
    state,
    scheduler,
    speed: options.speed ?? 1,
    now: Date.now,
    radio: { ackDelayMs: second, unitDelayMs: 2 * second, radioLoss: 0, ...options.radio },
    persist: () => {
      writing ??= Promise.resolve().then(write);
      return options.diskHangs ? new Promise<void>(() => undefined) : writing;
    },
    log: { info: () => undefined, warn: () => undefined },
  });
  const tell = (mac: string, kind: GatewayDownKind, body: object) =>
    live.gateways.get(mac)?.handle(kind, Buffer.from(JSON.stringify(body)));
  function greet(mac: string): void {
    if (!options.tellsNoTime) tell(mac, 'time', { utc: new Date().toISOString(), offsetSeconds: 46_800 });
  }
  live.start();
  for (const { mac } of profile.gateways) greet(mac);

  const acks = (cmdId: string) =>
    said.flatMap(({ message, sentAt }) =>
      message.kind === 'ack' && message.body.cmdId === cmdId ? [{ ...message.body, sentAt }] : [],
    );
  return {
    live,
    said,
    faults,
    uplinks,
    events,
    restarts,
    /** The state as it was last written: what a kill -9 leaves. */
    kept: () => {
      if (writing) write();
      return JSON.parse(kept) as LiveState;
    },
    setUp: (up: boolean) => {
      isUp = up;
    },
    run: (ms: number) => vi.advanceTimersByTimeAsync(ms),
    tell,
    acks,
    /** The states of a command's answers, in order; those of a unit with its name. */
    states: (cmdId: string) => acks(cmdId).map(({ state }) => state),
    ipcs: (mac: string) =>
      said.flatMap(({ message, sentAt }) =>
        message.kind === 'ipc'
          ? message.items.filter((item) => item.mac === mac).map((item) => ({ ...item, sentAt }))
          : [],
      ),
    sensors: (mac: string) =>
      said.flatMap(({ message, sentAt }) =>
        message.kind === 'sensor'
          ? message.items.filter((item) => item.mac === mac).map((item) => ({ ...item, sentAt }))
          : [],
      ),
    io: () => said.flatMap(({ message }) => (message.kind === 'io' ? [message.body] : [])),
    statuses: (mac: string) =>
      said.flatMap((one) => (one.message.kind === 'status' && one.mac === mac ? [one.message.body] : [])),
    stop: () => scheduler.stop(),
  };
}
export type Field = ReturnType<typeof liveField>;

/** A command as the server sends it, with ten minutes to live. */
export function command(cmdId: string, type: number, more: object = {}) {
  return { cmdId, type, payload: {}, expiresAt: new Date(Date.now() + 10 * minute).toISOString(), ...more };
}
