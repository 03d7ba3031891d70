import type { SensorSettings } from '../sensors.ts';
import { sensorTypes } from '../sensor-types.ts';
import {
  BATTERY_CHARGED_PERCENT,
  LEAK_FLOW_HOURS,
  LEAK_FLOW_READINGS,
  LEAK_NIGHT_PERCENT,
  LEGACY_TANK,
  TANK_AMBER_PERCENT,
  TANK_BATTERY_RANGE_V,
  TANK_FILL_PERCENT,
  TANK_LOW_BATTERY_V,
  TANK_LOW_LEVEL_PERCENT,
  TANK_OUT_OF_CONTACT_MS,
  TANK_VALID_MM,
  TREND_PERCENT,
} from '../limits.ts';
import { isWithin, type Limits } from './within.ts';

/** A tank's measures with every gap filled by the values for records that lack them. mm, mm, mm, litres. */
export interface TankShape {
  offset: number;
  height: number;
  toplevel: number;
  volume: number;
}

export function tankShape(settings: SensorSettings): TankShape {
  return {
    offset: settings.offset ?? LEGACY_TANK.offset,
    height: settings.height ?? LEGACY_TANK.height,
    toplevel: settings.toplevel || LEGACY_TANK.toplevel,
    volume: settings.volume ?? LEGACY_TANK.volume,
  };
}

const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value));

/** What can be a level of this tank at all, mm of water above the sensor. */
export const levelLimits = ({ height }: TankShape): Limits => ({
  min: TANK_VALID_MM.below,
  max: height + TANK_VALID_MM.aboveHeight,
});

/** Whether mm of water above the sensor can be a level of this tank at all. */
export const isValidLevel = (shape: TankShape, rawMm: number | null): rawMm is number =>
  isWithin(levelLimits(shape), rawMm);

/**
 * Why a level that can't be is the fault of the tank's settings: it could be, were the rim not said to be below the water of a
 * full tank. null: it is the sensor's.
 */
export function settingsAtFault(shape: TankShape, rawMm: number | null): string | null {
  const { height, toplevel } = shape;
  if (isValidLevel(shape, rawMm) || height >= toplevel) return null;
  if (!isValidLevel({ ...shape, height: toplevel }, rawMm)) return null;
  return `The tank's settings can't be: its height (${height} mm) is less than its top water level (${toplevel} mm).`;
}

/** Percent full: the sensor sees water above its diaphragm, which sits `offset` mm over the floor. Null when invalid. */
export function levelPercent(shape: TankShape, rawMm: number | null): number | null {
  if (!isValidLevel(shape, rawMm)) return null;
  return clamp((100 * (shape.offset + rawMm)) / shape.toplevel, 0, 100);
}

export function litresAt(shape: TankShape, percent: number | null): number | null {
  return percent === null ? null : (shape.volume * percent) / 100;
}

/** Litres that leave the tank when its level falls by `mm`. */
export function litresOfFall(shape: TankShape, mm: number): number {
  return (shape.volume * mm) / shape.toplevel;
}

/** The part of the scale that the sensor can't see, percent. */
export function deadBandPercent(shape: TankShape): number {
  return clamp((100 * shape.offset) / shape.toplevel, 0, 100);
}

export function batteryPercent(volts: number | null): number | null {
  if (volts === null) return null;
  const { empty, full } = TANK_BATTERY_RANGE_V;
  return clamp(((volts - empty) / (full - empty)) * 100, 0, 100);
}

/** Whether a tank's last status (epoch ms, null = never) is older than the out-of-contact limit. */
export function isOutOfContact(statusTime: number | null, now: number): boolean {
  return statusTime === null || now - statusTime > TANK_OUT_OF_CONTACT_MS;
}

export const isLowBattery = (volts: number | null) => volts !== null && volts < TANK_LOW_BATTERY_V;
export const isLowLevel = (percent: number | null) => percent !== null && percent < TANK_LOW_LEVEL_PERCENT;

/** 1 out of contact, else 2 low battery or low level, else 0. */
export function tankCondition(tank: {
  isOutOfContact: boolean;
  batteryVoltage: number | null;
  percent: number | null;
}): 0 | 1 | 2 {
  if (tank.isOutOfContact) return 1;
  return isLowBattery(tank.batteryVoltage) || isLowLevel(tank.percent) ? 2 : 0;
}

/** Colour by level: under 20 % red, under 50 % amber. */
export function levelColour(percent: number | null): 'default' | 'amber' | 'red' | 'unknown' {
  if (percent === null) return 'unknown';
  if (percent < TANK_LOW_LEVEL_PERCENT) return 'red';
  return percent < TANK_AMBER_PERCENT ? 'amber' : 'default';
}

/** Height of the drawn water, percent: never quite empty, never to the brim. */
export const fillPercent = (percent: number) => clamp(percent, TANK_FILL_PERCENT.min, TANK_FILL_PERCENT.max);

/** Sign of the level's change over an hour; changes of 1 % and less are none. */
export function trend(nowPercent: number | null, hourAgoPercent: number | null): -1 | 0 | 1 | null {
  if (nowPercent === null || hourAgoPercent === null) return null;
  const change = nowPercent - hourAgoPercent;
  if (Math.abs(change) <= TREND_PERCENT) return 0;
  return change > 0 ? 1 : -1;
}

export type PumpState = 'running' | 'stopped' | 'disabled';

export function pumpState(pump: { relayControl: boolean | null; relayState: boolean | null }): PumpState {
  if (!pump.relayControl) return 'disabled';
  return pump.relayState ? 'running' : 'stopped';
}

export const pumpTexts = {
  running: 'Pump running',
  stopped: 'Pump stopped',
  disabled: 'Pump control disabled',
  unavailable: 'Pump control not available',
} as const;

/** spec 2 §4.3. `battery` in percent. */
export function chargingText(unit: {
  charge: boolean | null;
  fault: boolean | null;
  battery: number | null;
}): string {
  if (unit.charge) return unit.fault ? 'Charging Inhibited' : 'Charging';
  if (unit.battery === null) return 'Unknown';
  return unit.battery >= BATTERY_CHARGED_PERCENT ? 'Charged' : 'Not Charging';
}

/** One hour of a flow meter; min in L/min. */
export interface FlowHour {
  min: number;
  count: number;
}

/**
 * Flow that never stopped in the last six whole hours. `hours`: newest last, one per clock hour, null where silent. An hour
 * with a single reading says nothing of what lay between it and the next: a meter that reports so seldom can't tell a leak.
 */
export function flowsWithoutStop(hours: readonly (FlowHour | null)[]): boolean {
  const last = hours.slice(-LEAK_FLOW_HOURS);
  return (
    last.length === LEAK_FLOW_HOURS &&
    last.every((hour) => hour !== null && hour.count >= LEAK_FLOW_READINGS && hour.min > 0)
  );
}

/** A level that falls by more than 2 % between 02:00 and 06:00, when stock don't drink. */
export function fallsAtNight(firstPercent: number | null, lastPercent: number | null): boolean {
  return firstPercent !== null && lastPercent !== null && firstPercent - lastPercent > LEAK_NIGHT_PERCENT;
}

/** Tanks with a meter count pulses, the others their level's falls. */
export function measuresByFlow(type: number, settings: SensorSettings): boolean {
  return type === sensorTypes.TLM_V3 && settings.enabledFlow === true;
}
