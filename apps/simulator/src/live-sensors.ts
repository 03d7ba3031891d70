import type { PumpControlConfig, SensorItem } from '@headrace/device/messages';
import type { SensorValues } from '@headrace/device/metrics';
import { sensorMessages as numbers, sensorTypes } from '@headrace/device/numbers';
import { isReachable, type Send, sensorMessages } from './farm-links.ts';
import { isLost, isSilent, type Sensor } from './farm-model.ts';
import { valuesWithFaults } from './faults/visible-faults.ts';
import { recentMs, sensorItem, silentTankMs } from './history.ts';
import { crossed, type LiveContext } from './live-context.ts';
import { batteryPercent, signalMarginDb } from './lorawan/device-status.ts';
import { noiseAt } from './models/noise.ts';
import { type SensorState, withMeterReset, withPumpControl } from './sensor-model.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** After this a pump has followed its new marks. */
const switchedMs = 5000;
/** A silent tank gets one late message through when it hasn't been heard for eight hours. */
const silentUntilMs = 8 * hourMs;

/**
 * Each sensor has an entry in the scheduler. One that could not report, because its link, this process or its radio was down, sends what it
 * missed with its own times, up to 30 days.
 */
export function createLiveSensors(
  context: LiveContext,
  onLevel: (mac: string, levelMm: number, at: number) => void,
) {
  const { farm, links, state, scheduler, speed, modelTime, faults, now, dispatch } = context;
  const sensors = new Map(farm.sensors.map((sensor) => [sensor.profile.mac, sensor]));
  let outgoing: { sensor: Sensor; item: SensorItem }[] = [];

  function start(at: number): void {
    for (const sensor of farm.sensors) {
      const interval = intervalOf(sensor, speed);
      // The page should move soon after it is opened: first reports come within a quarter of a minute.
      scheduler.add(at + (sensor.key % Math.min(interval, 15_000)), (time) => onDue(sensor, time));
    }
  }

  function onDue(sensor: Sensor, at: number): void {
    const interval = intervalOf(sensor, speed);
    const { mac } = sensor.profile;
    const lastAt = state.reportedAt[mac] ?? at;
    if (isReachable(links, sensor) && !faults.get(mac, 'out-of-contact')) {
      if (!isSilent(sensor)) report(sensor, at, missedTimes(lastAt, at, interval));
      else if (at - lastAt >= silentUntilMs) report(sensor, at - silentTankMs, []);
    }
    scheduler.add(nextDue(sensor, at, interval), (time) => onDue(sensor, time));
  }

  function isHeard(sensor: Sensor, time: number): boolean {
    const { mac, gatewayMac } = sensor.profile;
    const loss = faults.get(mac, 'radio-loss') ?? faults.get(gatewayMac ?? '', 'radio-loss');
    if (loss) return noiseAt(sensor.key, Math.floor(time / 1000)) >= loss.value;
    return isSilent(sensor) || !isLost(sensor, time);
  }

  function report(sensor: Sensor, at: number, missed: readonly number[]): void {
    const { mac, type, gatewayMac } = sensor.profile;
    for (const time of [...missed, at]) {
      const after = advanced(sensor, time);
      state.sensors[mac] = after;
      if (isHeard(sensor, time)) send(sensor, itemOf(sensor, after, time));
    }
    const lastAt = state.reportedAt[mac] ?? 0;
    state.reportedAt[mac] = at;
    if (type === sensorTypes.TLM_V3 && crossed(lastAt, at, hourMs, 0)) send(sensor, commsItem(sensor, at));
    if (gatewayMac === null && crossed(lastAt, at, dayMs, sensor.key % dayMs)) tellStatus(sensor, at);
  }

  function itemOf(sensor: Sensor, after: SensorState, time: number): SensorItem {
    const item = sensorItem(sensor, after, time, 'full');
    const values = valuesWithFaults(item.values, sensor.profile, faults);
    if (typeof values.levelMm === 'number') onLevel(item.mac, values.levelMm, time);
    return { ...item, values };
  }

  function advanced({ profile, model }: Sensor, at: number): SensorState {
    const before = state.sensors[profile.mac] ?? model.start(modelTime(at));
    return model.advance(before, modelTime(at));
  }

  /** The network server asks its devices once a day how they are. */
  function tellStatus(sensor: Sensor, at: number): void {
    const { networkServer } = links;
    const { profile } = sensor;
    const { batteryV } = itemOf(sensor, advanced(sensor, at), at).values;
    const event = {
      kind: 'status' as const,
      at,
      margin: signalMarginDb(sensor.key, at),
      batteryPercent: batteryPercent(batteryV),
    };
    if (networkServer) dispatch([() => networkServer.publishEvent(profile, event)]);
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

  /** Changes a sensor or its water now; `null` and nothing done when it can't be. */
  function change(mac: string, effect: (state: SensorState) => SensorState | null): Sensor | null {
    const sensor = sensors.get(mac);
    const after = sensor && effect(advanced(sensor, now()));
    if (!sensor || !after) return null;
    state.sensors[mac] = after;
    return sensor;
  }

  /** A report out of turn, if the sensor is in contact; by chance such a one is never lost. */
  function reportNow(sensor: Sensor | null | undefined): Send[] {
    if (!sensor || !isReachable(links, sensor) || faults.get(sensor.profile.mac, 'out-of-contact')) return [];
    const at = now();
    const after = advanced(sensor, at);
    state.sensors[sensor.profile.mac] = after;
    return sensorMessages(links, [{ sensor, item: itemOf(sensor, after, at) }]);
  }

  return {
    start,
    find: (mac: string) => sensors.get(mac),
    change,
    reportNow,
    levelOf: (mac: string): number | null => {
      const sensor = sensors.get(mac);
      return sensor ? (sensor.model.observe(advanced(sensor, now()), 'level').levelMm ?? null) : null;
    },
    /** Configures a sensor: its report, or the reason why it can't be done. */
    configure: (mac: string, config: { pump: PumpControlConfig } | 'meter-reset'): Send[] | string => {
      const changed = change(mac, (before) =>
        config === 'meter-reset' ? withMeterReset(before) : withPumpControl(before, config.pump),
      );
      if (changed) {
        // A pump that starts or stops by its new marks says so at once.
        scheduler.add(now() + switchedMs, () => dispatch(reportNow(changed)));
        return reportNow(changed);
      }
      return config === 'meter-reset' ? 'sensor has no meter' : 'sensor has no pump';
    },
  };
}
export type LiveSensors = ReturnType<typeof createLiveSensors>;

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

function intervalOf({ profile }: Sensor, speed: number): number {
  return Math.max(250, (profile.reportEverySeconds * 1000) / speed);
}

/** Whole intervals, each sensor at its own moment of them. */
function nextDue(sensor: Sensor, at: number, interval: number): number {
  const offset = sensor.key % interval;
  return Math.floor((at - offset) / interval + 1) * interval + offset;
}

function commsItem({ profile }: Sensor, at: number): SensorItem {
  const values: SensorValues = {
    commsIntervalMin: Math.round(profile.reportEverySeconds / 6) / 10,
    commsQuality: Math.round((1 - profile.model.radioLoss) * 100) / 100,
  };
  return { mac: profile.mac, at: new Date(at).toISOString(), msg: numbers.D100_CommsHealth, values };
}
