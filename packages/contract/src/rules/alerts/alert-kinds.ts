import { CHARGE_THRESHOLD_PERCENT, SPRINKLER_OUT_OF_CONTACT_DAYS } from '../condition.ts';
import { TANK_LOW_BATTERY_V, TANK_OUT_OF_CONTACT_MS } from '../../limits.ts';

export const alertKinds = [
  'TankLow',
  'TankHigh',
  'TankLeak',
  'LowBattery',
  'OutOfContact',
  'SprinklerError',
  'SoilMoisture',
  'InputChange',
  'ValveOpen',
  'Missed',
  'PumpRuns',
  'EmptySoon',
  'Flow',
  'Frost',
  'Rain',
  'CommandFailed',
  'TakeLimit',
  'TakeGap',
] as const;
export type AlertKind = (typeof alertKinds)[number];

/** From what can wait to what can't. */
export const alertClasses = ['info', 'important', 'urgent'] as const;
export type AlertClass = (typeof alertClasses)[number];

export const isWorse = (one: AlertClass, than: AlertClass): boolean =>
  alertClasses.indexOf(one) > alertClasses.indexOf(than);

/** What an alert of a kind can watch: devices, or the farm as a whole. */
export const watchedDevices = [
  'gateway',
  'sprinkler',
  'tank',
  'soil',
  'switch',
  'meter',
  'sensor',
  'repeater',
  'farm',
] as const;
export type WatchedDevice = (typeof watchedDevices)[number];

export interface AlertKindInfo {
  readonly label: string;
  readonly watches: readonly WatchedDevice[];
  /** What `condition` can be, the usual one first; one alone is never asked for. */
  readonly conditions: readonly string[];
  /** What `value` is; null: there is none. */
  readonly value: { readonly unit: string; readonly min: number; readonly max: number } | null;
  /** `value` where nobody gave one, by condition. */
  readonly usual: Readonly<Record<string, number>>;
  /** How far back over `value` it is over, in its unit or in percent of it, and between which ends that can be. */
  readonly clear: {
    readonly by: number;
    readonly isShare?: true;
    readonly min: number;
    readonly max: number;
  } | null;
  /** How long it must be so first, min. */
  readonly holdMin: number;
  readonly class: AlertClass;
  /** How often it is looked at, s; where its devices speak, besides. */
  readonly everyS: number;
  /** What each word of a device may change is looked at at once. */
  readonly isQuick: boolean;
}

const MINUTE = 60;
const HOUR = 3600;
const state = {
  conditions: ['any'],
  value: null,
  usual: {},
  clear: null,
  isQuick: false,
} as const;

/** Every kind as data: what it watches, what is asked for, and how it is told. Percent, kPa and volts are the cards' own. */
export const alertKindInfo: Readonly<Record<AlertKind, AlertKindInfo>> = {
  TankLow: {
    ...state,
    label: 'Tank low',
    watches: ['tank'],
    conditions: ['below'],
    value: { unit: '%', min: 1, max: 98 },
    usual: { below: 20 },
    clear: { by: 5, min: 1, max: 99 },
    holdMin: 15,
    class: 'important',
    everyS: MINUTE,
    isQuick: true,
  },
  TankHigh: {
    ...state,
    label: 'Tank high',
    watches: ['tank'],
    conditions: ['above'],
    value: { unit: '%', min: 2, max: 99 },
    usual: { above: 95 },
    clear: { by: -5, min: 1, max: 99 },
    holdMin: 15,
    class: 'important',
    everyS: MINUTE,
    isQuick: true,
  },
  TankLeak: {
    ...state,
    label: 'Tank leak',
    watches: ['tank'],
    holdMin: 0,
    class: 'important',
    everyS: HOUR / 2,
  },
  LowBattery: {
    ...state,
    label: 'Low battery',
    watches: ['tank', 'sprinkler'],
    conditions: ['below'],
    // A night without sun is no fault.
    holdMin: 720,
    class: 'info',
    everyS: 10 * MINUTE,
  },
  OutOfContact: {
    ...state,
    label: 'Out of contact',
    watches: ['gateway', 'tank', 'sprinkler', 'sensor', 'repeater'],
    conditions: ['longer than'],
    value: { unit: 'min', min: 5, max: 90 * 1440 },
    holdMin: 0,
    class: 'info',
    everyS: MINUTE,
    isQuick: true,
  },
  SprinklerError: {
    ...state,
    label: 'Sprinkler error',
    watches: ['sprinkler'],
    conditions: ['any', 'clock', 'battery', 'schedule'],
    holdMin: 60,
    class: 'important',
    // Less than the usual hold, which counts from the report: looking more often tells nobody sooner.
    everyS: HOUR / 2,
  },
  SoilMoisture: {
    ...state,
    label: 'Soil moisture',
    watches: ['soil'],
    conditions: ['above', 'below'],
    value: { unit: 'kPa', min: 0, max: 200 },
    usual: { above: 60, below: 10 },
    clear: { by: 5, min: 0, max: 200 },
    holdMin: 180,
    class: 'info',
    everyS: 5 * MINUTE,
  },
  InputChange: {
    ...state,
    label: 'Input or switch',
    watches: ['switch', 'gateway'],
    conditions: ['on', 'off', 'either'],
    holdMin: 0,
    class: 'important',
    everyS: MINUTE,
    isQuick: true,
  },
  ValveOpen: {
    ...state,
    label: 'Valve open too long',
    watches: ['sprinkler'],
    // The grace of what is believed of valves is its hold.
    holdMin: 0,
    class: 'urgent',
    everyS: MINUTE,
  },
  Missed: {
    ...state,
    label: 'Watering missed',
    watches: ['farm'],
    conditions: ['above'],
    value: { unit: '%', min: 0, max: 90 },
    usual: { above: 5 },
    holdMin: 0,
    class: 'important',
    everyS: HOUR / 4,
  },
  PumpRuns: {
    ...state,
    label: 'Pump runs for nothing',
    watches: ['tank'],
    holdMin: 0,
    class: 'urgent',
    everyS: HOUR / 4,
  },
  EmptySoon: {
    ...state,
    label: 'Empty soon',
    watches: ['tank'],
    conditions: ['within'],
    value: { unit: 'days', min: 1, max: 30 },
    usual: { within: 2 },
    clear: { by: 1, min: 1, max: 31 },
    holdMin: 360,
    class: 'important',
    everyS: HOUR / 2,
  },
  Flow: {
    ...state,
    label: 'Flow',
    watches: ['meter'],
    conditions: ['above', 'below', 'none'],
    value: { unit: 'L/min', min: 0, max: 100_000 },
    clear: { by: 10, isShare: true, min: 0, max: 110_000 },
    holdMin: 15,
    class: 'important',
    everyS: MINUTE,
    isQuick: true,
  },
  Frost: {
    ...state,
    label: 'Frost forecast',
    watches: ['farm'],
    conditions: ['below'],
    value: { unit: '°C', min: -20, max: 15 },
    usual: { below: 2 },
    clear: { by: 1, min: -20, max: 16 },
    holdMin: 0,
    class: 'important',
    everyS: HOUR / 2,
  },
  Rain: {
    ...state,
    label: 'Rain forecast',
    watches: ['farm'],
    conditions: ['above'],
    value: { unit: 'mm', min: 1, max: 300 },
    usual: { above: 5 },
    clear: { by: -1, min: 0, max: 300 },
    holdMin: 0,
    class: 'info',
    everyS: HOUR / 2,
  },
  CommandFailed: {
    ...state,
    label: 'Command failed',
    watches: ['farm'],
    holdMin: 0,
    class: 'important',
    everyS: MINUTE,
    isQuick: true,
  },
  TakeLimit: {
    ...state,
    label: 'Water take limit',
    watches: ['farm'],
    conditions: ['above'],
    value: { unit: '%', min: 10, max: 99 },
    usual: { above: 80 },
    holdMin: 0,
    class: 'important',
    everyS: HOUR / 4,
  },
  TakeGap: {
    ...state,
    label: 'Water take gap',
    watches: ['farm'],
    holdMin: 0,
    class: 'important',
    everyS: HOUR / 4,
  },
};

/** What tells of a moment: nothing of it goes on. */
export const isMomentKind = (kind: AlertKind, condition: string): boolean =>
  condition === 'either' || kind === 'CommandFailed';

/** What tells of the farm as a whole, and of no device. */
export const isOfFarm = (kind: AlertKind): boolean => alertKindInfo[kind].watches.includes('farm');

/** Whether it can wait until it has been so for a while: a moment is over by then, and what is of the farm has a time of its own. */
export const hasHold = (kind: AlertKind, condition: string): boolean =>
  !isOfFarm(kind) && !isMomentKind(kind, condition);

/** A condition that has no value, though others of its kind have one. */
export const hasValue = (kind: AlertKind, condition: string): boolean =>
  alertKindInfo[kind].value !== null && condition !== 'none';

/** What is silence where the alert doesn't say, min. */
export const silenceMin: Readonly<Record<'gateway' | 'tank' | 'sprinkler', number>> = {
  gateway: 15,
  tank: TANK_OUT_OF_CONTACT_MS / 60_000,
  sprinkler: SPRINKLER_OUT_OF_CONTACT_DAYS * 1440,
};

/** Of tanks, V, and of sprinklers where their gateway hasn't said its own, %. */
export const lowBattery = { tankV: TANK_LOW_BATTERY_V, unitPercent: CHARGE_THRESHOLD_PERCENT } as const;

/** Where it is over: as far back as its kind has it, and where a device can get to. Null: its kind has no value. */
export function usualClear(kind: AlertKind, condition: string, value: number): number | null {
  const { clear } = alertKindInfo[kind];
  if (!clear || !hasValue(kind, condition)) return null;
  const size = clear.isShare ? (Math.abs(value) * clear.by) / 100 : clear.by;
  const by = condition === 'above' ? -Math.abs(size) : Math.abs(size);
  return Math.min(clear.max, Math.max(clear.min, value + by));
}

/** New farms have these, switched on; others are offered them. */
export const usualAlerts: readonly { readonly kind: AlertKind; readonly name: string }[] = [
  { kind: 'OutOfContact', name: 'Gateway out of contact' },
  { kind: 'ValveOpen', name: 'Valve open too long' },
  { kind: 'TankLeak', name: 'Tank leak' },
  { kind: 'TankLow', name: 'Tank low' },
  { kind: 'SprinklerError', name: 'Sprinkler error' },
];
