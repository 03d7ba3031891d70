import type { SprinklerModel } from '@headrace/demo/profile';
import type { IpcItem, RepeaterItem, SensorItem } from '@headrace/device/messages';
import { sensorMessages, sensorTypes } from '@headrace/device/numbers';
import { type FarmModel, isLost, isSilent, type Sensor } from './farm-model.ts';
import { repeaterStatus, type UnitContext, unitStatus } from './models/sprinkler.ts';
import { wateringStart } from '@headrace/device/watering-start';
import type { Detail, SensorState } from './sensor-model.ts';

/**
 * What a farm would have said in the past. Older than 30 days it is thinned to what charts of a year need: levels every hour, the battery once
 * a day, soil every three hours, sprinklers every other week; the last 30 days have everything every half hour, sprinklers once a day, and each move of a valve of
 * the last eight.
 */
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
export const recentMs = 30 * dayMs;
/** A silent tank was last heard of five hours ago, a silent sprinkler forty days, a repeater that is down and its units two. */
export const silentTankMs = 5 * hourMs;
const silentUnitMs = 40 * dayMs;
const cutOffMs = 2 * dayMs;

export type Span = {
  readonly from: number;
  readonly to: number;
  /** The moment history leads up to. */
  readonly end: number;
};

type Sample = { readonly at: number; readonly detail: Detail };

/** When a sensor reported within (from, to]. Every device keeps its own minutes past the hour. */
function sampleTimes(sensor: Sensor, { from, to, end }: Span): Sample[] {
  const samples: Sample[] = [];
  const last = isSilent(sensor) ? Math.min(to, end - silentTankMs) : to;
  let at = from;
  while (at < last) {
    const isRecent = at >= end - recentMs;
    const every = isRecent ? hourMs / 2 : sensor.profile.model.kind === 'soil' ? 3 * hourMs : hourMs;
    at = nextOnGrid(at, every, sensor.key % (hourMs / 2));
    if (at <= last && !isLost(sensor, at)) samples.push({ at, detail: detailAt(at, isRecent) });
  }
  return samples;
}

function detailAt(at: number, isRecent: boolean): Detail {
  const halfHour = Math.floor(at / (hourMs / 2));
  if (isRecent) return halfHour % 2 === 0 ? 'full' : 'battery';
  // Once a day, about midday in New Zealand.
  return halfHour % 48 === 1 || halfHour % 48 === 0 ? 'battery' : 'level';
}

/** The first time after `at` that is `offset` past a whole step. */
function nextOnGrid(at: number, every: number, offset: number): number {
  return Math.floor((at - offset) / every + 1) * every + offset;
}

export type SensorStates = Record<string, SensorState>;

/** Items of these sensors in a span, oldest first, and their states at its end. Pure. */
export function sensorHistory(
  sensors: readonly Sensor[],
  states: SensorStates,
  span: Span,
): { items: { sensor: Sensor; item: SensorItem }[]; states: SensorStates } {
  const items: { sensor: Sensor; item: SensorItem }[] = [];
  const after: SensorStates = {};
  for (const sensor of sensors) {
    const { mac } = sensor.profile;
    let state = states[mac] ?? sensor.model.start(span.from);
    for (const { at, detail } of sampleTimes(sensor, span)) {
      state = sensor.model.advance(state, at);
      items.push({ sensor, item: sensorItem(sensor, state, at, detail) });
    }
    after[mac] = sensor.model.advance(state, span.to);
  }
  items.sort((one, other) => (one.item.at < other.item.at ? -1 : one.item.at > other.item.at ? 1 : 0));
  return { items, states: after };
}

/** TLM_V3 numbers its messages: level and battery, or those with flow. */
export function sensorItem(sensor: Sensor, state: SensorState, at: number, detail: Detail): SensorItem {
  const values = sensor.model.observe(state, detail);
  const msg = values.flowLpm === undefined ? sensorMessages.D100_Level : sensorMessages.D100_Flow;
  return {
    mac: sensor.profile.mac,
    at: new Date(at).toISOString(),
    ...(sensor.profile.type === sensorTypes.TLM_V3 && { msg }),
    values,
  };
}

/** Sprinklers and repeaters of each gateway in a span, oldest first. */
export function unitHistory(
  farm: FarmModel,
  span: Span,
): { gatewayMac: string; ipcs: IpcItem[]; repeaters: RepeaterItem[] }[] {
  return farm.profile.gateways.map(({ mac: gatewayMac }) => {
    const ipcs = farm.units
      .filter(({ unit }) => unit.gatewayMac === gatewayMac)
      .flatMap((context) => {
        const to = Math.min(span.to, span.end - silentFor(context.unit.model.fault));
        const times = [...unitTimes(context.key, { ...span, to }), ...valveTimes(context, { ...span, to })];
        return times.filter((at) => !isDeaf(farm, at, span.end)).map((at) => unitStatus(context, {}, at));
      });
    const repeaters = farm.repeaters
      .filter(({ profile }) => profile.gatewayMac === gatewayMac)
      .flatMap(({ profile, key }) => {
        const to = Math.min(span.to, span.end - (profile.model.isDown ? cutOffMs : 0));
        return unitTimes(key, { ...span, to }).map((at) => repeaterStatus(profile, key, farm.env, at));
      });
    const byTime = (one: { at: string }, other: { at: string }) => (one.at < other.at ? -1 : 1);
    return { gatewayMac, ipcs: ipcs.sort(byTime), repeaters: repeaters.sort(byTime) };
  });
}

function silentFor(fault: SprinklerModel['fault']): number {
  if (fault === 'silent') return silentUnitMs;
  return fault === 'cut-off' ? cutOffMs : 0;
}

/** Nights of which valves are told. */
const valveNights = 8;
/** After the start of a watering that should have been, when a valve that does not open is looked at, min. */
const stuckLooks = [6, 20];

/** When a sprinkler told that its valve opened or closed, within (from, to]. */
function valveTimes({ unit, planned, env }: UnitContext, { from, to, end }: Span): number[] {
  const offsetAt = (at: number) => env.local(at).offsetMs;
  const first = Math.max(from, end - valveNights * dayMs);
  const times: number[] = [];
  for (let day = env.local(first).day - 1; day <= env.local(to).day; day += 1)
    for (const { start, duration } of planned.entries) {
      const opensAt = wateringStart(offsetAt, day, start);
      const after = unit.model.fault === 'stuck' ? stuckLooks : [0, duration];
      times.push(...after.map((minutes) => opensAt + minutes * minuteMs));
    }
  return times.filter((at) => at > first && at <= to);
}

/** On one evening of the week before, the pump shed's gateway heard nothing for two hours. */
function isDeaf({ env, profile }: FarmModel, at: number, end: number): boolean {
  if (profile.irrigation === null || env.local(end).day - env.local(at).day !== 3) return false;
  const { hour } = env.local(at);
  return hour >= 21.5 && hour < 23.5;
}

function unitTimes(key: number, { from, to, end }: Span): number[] {
  const times: number[] = [];
  let at = from;
  while (at < to) {
    const every = at >= end - recentMs ? dayMs : 14 * dayMs;
    at = nextOnGrid(at, every, key % every);
    if (at <= to) times.push(at);
  }
  return times;
}
