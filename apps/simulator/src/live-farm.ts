import type { IpcItem, PumpControlConfig, SensorItem, SensorValues } from '@headrace/device/messages';
import type { GatewayProfile } from '@headrace/demo/profile';
import { type FarmModel, isLost, isSilent, type Sensor } from './farm-model.ts';
import { type FarmLinks, isReachable, itemMessages, type Send, sensorMessages } from './farm-links.ts';
import { bootloaderVersion, firmwareVersion } from './gateway-client.ts';
import { recentMs, sensorItem, silentTankMs } from './history.ts';
import { isOpen, repeaterStatus, type UnitContext, type UnitState, unitStatus } from './models/sprinkler.ts';
import type { Scheduler } from './scheduler.ts';
import { withPumpControl } from './sensor-model.ts';
import type { LiveState } from './state-store.ts';
import type { Log } from './mqtt-link.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const unitEveryMs = 6 * hourMs;
const statusEveryMs = 15 * minuteMs;
/** A silent tank gets one late message through when it hasn't been heard for eight hours. */
const silentUntilMs = 8 * hourMs;

export type LiveFarmOptions = {
  readonly farm: FarmModel;
  readonly links: FarmLinks;
  readonly state: LiveState;
  readonly scheduler: Scheduler;
  /** 1 to 3600. Model time runs this many times faster and devices report this many times as often; stamps are the clock's. */
  readonly speed: number;
  readonly now: () => number;
  readonly log: Log;
};

export type LiveFarm = ReturnType<typeof createLiveFarm>;

/**
 * A farm from now on. Each sensor has an entry in the scheduler, all else runs with the farm's minute. A sensor that could not report,
 * because its link or this process was down, sends what it missed with its own times, up to 30 days.
 */
export function createLiveFarm(options: LiveFarmOptions) {
  const { farm, links, state, scheduler, speed, now, log } = options;
  const startedAt = now();
  const aheadAtStart = state.aheadMs;
  const units = new Map(farm.units.map((context) => [context.unit.mac, context]));
  const sensors = new Map(farm.sensors.map((sensor) => [sensor.profile.mac, sensor]));
  const openUnits = new Set<string>();
  const lastPorts = new Map<string, string>();
  let outgoing: { sensor: Sensor; item: SensorItem }[] = [];

  const modelTime = (at: number): number => at + aheadAtStart + Math.max(0, at - startedAt) * (speed - 1);

  function start(): void {
    const at = now();
    for (const sensor of farm.sensors) {
      const interval = intervalOf(sensor);
      // The page should move soon after it is opened: first reports come within a quarter of a minute.
      scheduler.add(at + (sensor.key % Math.min(interval, 15_000)), (time) => reportSensor(sensor, time));
    }
    for (const context of farm.units)
      if (isOpen(context, unitState(context), modelTime(at))) openUnits.add(context.unit.mac);
    scheduler.add(at + 1000, firstTick);
  }

  function intervalOf({ profile }: Sensor): number {
    return Math.max(250, (profile.reportEverySeconds * 1000) / speed);
  }

  function reportSensor(sensor: Sensor, at: number): void {
    const interval = intervalOf(sensor);
    if (isSilent(sensor)) reportSilent(sensor, at);
    else if (isReachable(links, sensor))
      report(sensor, at, missedTimes(state.reportedAt[sensor.profile.mac] ?? at, at, interval));
    scheduler.add(nextDue(sensor, at, interval), (time) => reportSensor(sensor, time));
  }

  function report(sensor: Sensor, at: number, missed: readonly number[]): void {
    const { mac } = sensor.profile;
    for (const time of [...missed, at]) {
      const after = sensor.model.advance(
        state.sensors[mac] ?? sensor.model.start(modelTime(time)),
        modelTime(time),
      );
      state.sensors[mac] = after;
      if (isSilent(sensor) || !isLost(sensor, time)) send(sensor, sensorItem(sensor, after, time, 'full'));
    }
    if (
      sensor.profile.type === 100 &&
      Math.floor(at / hourMs) !== Math.floor((state.reportedAt[mac] ?? 0) / hourMs)
    )
      send(sensor, commsItem(sensor, at));
    state.reportedAt[mac] = at;
  }

  function reportSilent(sensor: Sensor, at: number): void {
    const heardAt = at - silentTankMs;
    if (at - (state.reportedAt[sensor.profile.mac] ?? 0) < silentUntilMs || !isReachable(links, sensor))
      return;
    report(sensor, heardAt, []);
  }

  function send(sensor: Sensor, item: SensorItem): void {
    // Those who report in the same moment share a message.
    if (outgoing.length === 0) setImmediate(flush);
    outgoing.push({ sensor, item });
  }

  function flush(): void {
    const items = outgoing;
    outgoing = [];
    dispatch(sensorMessages(links, items));
  }

  function dispatch(sends: readonly Send[]): void {
    for (const work of sends)
      work().catch((error: unknown) =>
        log.warn({ farm: farm.profile.name, reason: String(error) }, 'not published'),
      );
  }

  function unitState({ unit }: UnitContext): UnitState {
    return state.units[unit.mac] ?? {};
  }

  /** A unit as it is now, or as it was at a time before. */
  function unitItem(context: UnitContext, at: number): IpcItem {
    return { ...unitStatus(context, unitState(context), modelTime(at)), at: new Date(at).toISOString() };
  }

  /** After a start every unit's last regular report is told again, so that the farm is complete at once. */
  function firstTick(at: number): void {
    if (!isOnline()) {
      scheduler.add(at + 1000, firstTick);
      return;
    }
    for (const { mac } of farm.profile.gateways) {
      publishUnits(mac, (context) => unitItem(context, lastRegular(context.key, at)));
      const repeaters = farm.repeaters.filter(({ profile }) => profile.gatewayMac === mac);
      dispatch(
        itemMessages(
          links,
          mac,
          'repeater',
          repeaters.map(({ profile, key }) => repeaterStatus(profile, key, farm.env, lastRegular(key, at))),
        ),
      );
    }
    state.tickedAt = modelTime(at);
    publishStatuses(at);
    for (const gateway of farm.profile.gateways) publishPorts(gateway, at);
    scheduler.add(at + tickMs(), tick);
  }

  function tickMs(): number {
    return Math.max(1000, minuteMs / speed);
  }

  function tick(at: number): void {
    scheduler.add(at + tickMs(), tick);
    if (!isOnline()) return;
    const before = state.tickedAt;
    const time = modelTime(at);
    for (const gateway of farm.profile.gateways) {
      publishUnits(gateway.mac, (context) => (isDue(context, before, time) ? unitItem(context, at) : null));
      const due = farm.repeaters.filter(
        ({ profile, key }) => profile.gatewayMac === gateway.mac && crossed(before, time, unitEveryMs, key),
      );
      const items = due.map(({ profile, key }) => ({
        ...repeaterStatus(profile, key, farm.env, time),
        at: new Date(at).toISOString(),
      }));
      dispatch(itemMessages(links, gateway.mac, 'repeater', items));
      const quarter = crossed(before, time, statusEveryMs, 0);
      if (quarter || lastPorts.get(gateway.mac) !== JSON.stringify(portsOf(gateway, at)))
        publishPorts(gateway, at);
    }
    if (crossed(before, time, statusEveryMs, 0)) publishStatuses(at);
    state.tickedAt = time;
  }

  /** Regularly, and whenever the valve has moved. */
  function isDue(context: UnitContext, before: number, time: number): boolean {
    const { mac } = context.unit;
    const open = isOpen(context, unitState(context), time);
    const moved = open !== openUnits.has(mac);
    if (open) openUnits.add(mac);
    else openUnits.delete(mac);
    return moved || crossed(before, time, unitEveryMs, context.key);
  }

  function publishUnits(gatewayMac: string, itemOf: (context: UnitContext) => IpcItem | null): void {
    const items: IpcItem[] = [];
    for (const context of farm.units) {
      if (context.unit.gatewayMac !== gatewayMac || context.unit.model.fault === 'silent') continue;
      const item = itemOf(context);
      if (item) items.push(item);
    }
    dispatch(itemMessages(links, gatewayMac, 'ipc', items));
  }

  function isOnline(): boolean {
    return [...links.gateways.values()].every((link) => link.isReady());
  }

  function publishStatuses(at: number): void {
    for (const gateway of farm.profile.gateways) publishStatus(gateway, at);
  }

  function publishStatus(gateway: GatewayProfile, at: number): void {
    const status = { at: new Date(at).toISOString(), ...statusOf(gateway, farm, at) };
    dispatch([() => links.gateways.get(gateway.mac)?.publish('status', status) ?? Promise.resolve()]);
  }

  function publishPorts(gateway: GatewayProfile, at: number): void {
    const ports = portsOf(gateway, at);
    if (!ports) return;
    lastPorts.set(gateway.mac, JSON.stringify(ports));
    const message = { at: new Date(at).toISOString(), ...ports };
    dispatch([() => links.gateways.get(gateway.mac)?.publish('io', message) ?? Promise.resolve()]);
  }

  /** Inputs and relays of a pump shed: mains, pump and pressure follow the watering, a relay set by hand stays as it was set. */
  function portsOf(gateway: GatewayProfile, at: number): { inputs: boolean[]; relays: boolean[] } | null {
    if (!gateway.io) return null;
    const isWatering = farm.env.watering.activeGroup(modelTime(at)) !== null;
    const byHand = state.relays[gateway.mac] ?? {};
    const isPumping = Object.values(state.sensors).some(
      (sensor) => sensor.kind === 'tank' && sensor.tank.pumpControl && sensor.tank.supplyOn,
    );
    const automatic = [isWatering, isPumping, isWatering, false, false, false];
    const relays = automatic.map((value, index) => byHand[String(index + 1)] ?? value);
    return { inputs: [true, relays[0] ?? false, isWatering, false, false, false], relays };
  }

  /** Changes units and tells at once how they are. */
  function changeUnits(
    macs: readonly string[],
    change: ((unit: UnitState, time: number) => UnitState) | null,
    at: number,
  ): void {
    const items = new Map<string, IpcItem[]>();
    for (const mac of macs) {
      const context = units.get(mac);
      if (!context) continue;
      if (change) state.units[mac] = change(unitState(context), modelTime(at));
      if (isOpen(context, unitState(context), modelTime(at))) openUnits.add(mac);
      else openUnits.delete(mac);
      const list = items.get(context.unit.gatewayMac) ?? [];
      list.push({
        ...unitItem(context, at),
        ...(change === null && { polledAt: new Date(at).toISOString() }),
      });
      items.set(context.unit.gatewayMac, list);
    }
    for (const [mac, list] of items) dispatch(itemMessages(links, mac, 'ipc', list));
  }

  /** False when the sensor has no pump to set. */
  function setPumpControl(mac: string, control: PumpControlConfig, at: number): boolean {
    const sensor = sensors.get(mac);
    const before = state.sensors[mac];
    const after = sensor && before && withPumpControl(sensor.model.advance(before, modelTime(at)), control);
    if (!sensor || !after) return false;
    state.sensors[mac] = after;
    report(sensor, at, []);
    return true;
  }

  function setRelay(gateway: GatewayProfile, relay: number, set: boolean, at: number): void {
    state.relays[gateway.mac] = { ...state.relays[gateway.mac], [String(relay)]: set };
    publishPorts(gateway, at);
  }

  return {
    start,
    units,
    sensors,
    changeUnits,
    setPumpControl,
    setRelay,
    publishStatus,
    /** The state as it stands, to be kept. */
    snapshot: (): LiveState => ({ ...state, aheadMs: modelTime(now()) - now() }),
    listRev: (mac: string): number => state.listRevs[mac] ?? 0,
    setListRev: (mac: string, rev: number): void => {
      state.listRevs[mac] = rev;
    },
  };
}

/** When a sensor would have reported between two times, thinned to 5 minutes, and to 30 after a long silence. */
export function missedTimes(lastAt: number, at: number, intervalMs: number): number[] {
  const from = Math.max(lastAt, at - recentMs);
  const gap = at - from;
  if (gap <= Math.max(3 * intervalMs, 10 * minuteMs)) return [];
  const every = Math.max(intervalMs, gap > 6 * hourMs ? 30 * minuteMs : 5 * minuteMs);
  const times: number[] = [];
  for (let time = from + every; time < at - every / 2; time += every) times.push(time);
  return times;
}

/** Whole intervals, each sensor at its own moment of them. */
function nextDue(sensor: Sensor, at: number, interval: number): number {
  const offset = sensor.key % interval;
  return Math.floor((at - offset) / interval + 1) * interval + offset;
}

function crossed(before: number, after: number, every: number, offset: number): boolean {
  return Math.floor((before - offset) / every) !== Math.floor((after - offset) / every);
}

function lastRegular(key: number, at: number): number {
  const offset = key % unitEveryMs;
  return Math.floor((at - offset) / unitEveryMs) * unitEveryMs + offset;
}

function commsItem({ profile }: Sensor, at: number): SensorItem {
  const values: SensorValues = {
    commsIntervalMin: Math.round(profile.reportEverySeconds / 6) / 10,
    commsQuality: Math.round((1 - profile.model.radioLoss) * 100) / 100,
  };
  return { mac: profile.mac, at: new Date(at).toISOString(), msg: 103, values };
}

function statusOf(gateway: GatewayProfile, farm: FarmModel, at: number): object {
  const info = { firmwareVersion, bootloaderVersion };
  if (gateway.type === 101)
    return {
      settings: { channel: farm.profile.radio.channel, spfactor: 10 },
      info,
      data: {
        lastRestart: new Date(at - (at % (30 * 24 * hourMs))).toISOString(),
        validMessageCount: Math.floor(at / 60_000) % 1_000_000,
        logFolderSize: 14.2,
      },
    };
  if (gateway.type !== 0) return { info };
  return {
    settings: {
      rtcTime: new Date(at).toISOString(),
      ipcListSize: farm.units.filter(({ unit }) => unit.gatewayMac === gateway.mac).length,
      rptrListSize: farm.repeaters.filter(({ profile }) => profile.gatewayMac === gateway.mac).length,
      schListSize: farm.profile.irrigation?.groups.length ?? 0,
      commsMaxAttempts: 3,
      commsMaxTTL: 600,
      chargeThreshold: 40,
      clockTreshold: 60,
      statusPeriod: statusEveryMs / 1000,
      timesetPeriod: 86_400,
    },
    info,
  };
}
