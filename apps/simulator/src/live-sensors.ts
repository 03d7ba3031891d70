import type { PumpControlConfig, SensorItem, SensorValues } from '@headrace/device/messages';
import { isLost, isSilent, type Sensor } from './farm-model.ts';
import { isReachable, sensorMessages } from './farm-links.ts';
import { recentMs, sensorItem, silentTankMs } from './history.ts';
import { crossed, type LiveContext } from './live-context.ts';
import { withPumpControl } from './sensor-model.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** A silent tank gets one late message through when it hasn't been heard for eight hours. */
const silentUntilMs = 8 * hourMs;

/**
 * Each sensor has an entry in the scheduler. One that could not report, because its link or this process was down, sends what it missed
 * with its own times, up to 30 days.
 */
export function createLiveSensors(context: LiveContext) {
  const { farm, links, state, scheduler, speed, modelTime } = context;
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
    const lastAt = state.reportedAt[sensor.profile.mac] ?? at;
    if (isReachable(links, sensor)) {
      if (!isSilent(sensor)) report(sensor, at, missedTimes(lastAt, at, interval));
      else if (at - lastAt >= silentUntilMs) report(sensor, at - silentTankMs, []);
    }
    scheduler.add(nextDue(sensor, at, interval), (time) => onDue(sensor, time));
  }

  function report(sensor: Sensor, at: number, missed: readonly number[]): void {
    const { mac, type } = sensor.profile;
    for (const time of [...missed, at]) {
      const after = sensor.model.advance(
        state.sensors[mac] ?? sensor.model.start(modelTime(time)),
        modelTime(time),
      );
      state.sensors[mac] = after;
      if (isSilent(sensor) || !isLost(sensor, time)) send(sensor, sensorItem(sensor, after, time, 'full'));
    }
    if (type === 100 && crossed(state.reportedAt[mac] ?? 0, at, hourMs, 0))
      send(sensor, commsItem(sensor, at));
    state.reportedAt[mac] = at;
  }

  function send(sensor: Sensor, item: SensorItem): void {
    // Those who report in the same moment share a message.
    if (outgoing.length === 0) setImmediate(flush);
    outgoing.push({ sensor, item });
  }

  function flush(): void {
    const items = outgoing;
    outgoing = [];
    context.dispatch(sensorMessages(links, items));
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

  return { start, sensors, setPumpControl };
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
  return { mac: profile.mac, at: new Date(at).toISOString(), msg: 103, values };
}
