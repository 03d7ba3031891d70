import { Type, type Static } from 'typebox';
import { soilDepths } from './soil-depths.ts';
import { parseUtcTime, utcTimePattern } from './times.ts';

/**
 * The messages of the gateway door. Unknown members are ignored, missing optional ones are absent.
 * Bounds are wide on purpose: an odd reading is shown as odd, only what can't be a reading is refused.
 */

const Mac = Type.String({
  pattern: '^(?:[0-9A-F]{12}|[0-9A-F]{16})$',
  description: '12 or 16 upper-case hex digits',
});
const Time = Type.Refine(
  Type.String({ pattern: utcTimePattern, description: 'ISO-8601 in UTC' }),
  // The pattern lets 30 February through.
  (text) => parseUtcTime(text) !== null,
  () => 'must be a time that exists',
);
// No control characters: PostgreSQL keeps no NUL in text, and no name needs one.
const printable = '^[^\\u0000-\\u001f\\u007f]*$';
const Id = Type.String({ minLength: 1, maxLength: 100, pattern: printable });
const Text = Type.String({ maxLength: 200, pattern: printable });
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Amount = Type.Number({ minimum: -1e9, maximum: 1e9 });

/** Largest message, in bytes, that a device may send. */
export const maxMessageBytes = 256 * 1024;
/** Deepest nesting of objects and arrays that is read. */
export const maxMessageDepth = 12;

// `null` = "the sensor reports an invalid value". Written as JSON Schema type lists: one check, one sentence when it fails.
const measured = (description: string) =>
  Type.Optional(
    Type.Unsafe<number | null>({ type: ['number', 'null'], minimum: -1e9, maximum: 1e9, description }),
  );
const counted = (description: string) =>
  Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description,
    }),
  );
const amountTotal = (description: string) =>
  Type.Optional(
    Type.Unsafe<number | null>({ type: ['number', 'null'], minimum: 0, maximum: 1e15, description }),
  );
const flag = (description: string) =>
  Type.Optional(Type.Unsafe<boolean | null>({ type: ['boolean', 'null'], description }));

type Depth = (typeof soilDepths)[number];
/** A member for each depth, from the top down: `vwc1Percent` … `vwc8Percent`. */
function atDepths<Prefix extends string, Suffix extends string>(
  prefix: Prefix,
  suffix: Suffix,
  description: string,
) {
  return Object.fromEntries(
    soilDepths.map((depth) => [`${prefix}${depth}${suffix}`, measured(description)]),
  ) as Record<`${Prefix}${Depth}${Suffix}`, ReturnType<typeof measured>>;
}

export const SensorValues = Type.Object({
  levelMm: measured('mm of water above the diaphragm'),
  batteryV: measured('V'),
  charging: flag('the charger is at work'),
  fault: flag('the charger is inhibited'),
  flowLpm: measured('L/min'),
  flowDirection: Type.Optional(Type.Unsafe<0 | 1 | null>({ enum: [0, 1, null], description: '0 in, 1 out' })),
  pulsesTotal: counted('pulses counted; may roll over or restart'),
  pulses: counted('pulses since the last message'),
  swp1Kpa: measured('kPa of tension'),
  swp2Kpa: measured('kPa of tension'),
  swp3Kpa: measured('kPa of tension'),
  swp4Kpa: measured('kPa of tension'),
  temperatureC: measured('°C'),
  rainTipsTotal: counted('tips of 0.2 mm; may roll over or restart'),
  rainTips: counted('tips of 0.2 mm since the last message'),
  commsIntervalMin: measured('minutes between messages'),
  commsQuality: measured('0 to 1'),
  highSetpoint: measured('%'),
  lowSetpoint: measured('%'),
  relayControl: flag('pump control on'),
  relayState: flag('pump running'),
  inputState: flag('float or remote input'),
  maxRunTime: measured('minutes; 0 = no limit'),
  switch: flag('switch on'),
  batteryPercent: measured('%'),
  distanceMm: measured('mm from the sensor down to the water'),
  humidityPercent: measured('% of the air'),
  pressureKpa: measured('kPa in a pipe or pump'),
  airPressureKpa: measured('kPa of the air'),
  rainTotalMm: amountTotal('mm counted; may roll over or restart'),
  rainMm: amountTotal('mm since the last message'),
  volumeTotalL: amountTotal('L counted; may roll over or restart'),
  volumeL: amountTotal('L since the last message'),
  windSpeedMs: measured('m/s'),
  windGustMs: measured('m/s'),
  windDirectionDeg: measured('° from north, where it comes from'),
  solarWm2: measured('W/m²'),
  valveOpen: flag('valve open'),
  valve2Open: flag('second valve open'),
  doorOpen: flag('door or lid open'),
  leak: flag('water where none should be'),
  ...atDepths('vwc', 'Percent', '% of water by volume'),
  ...atDepths('soilTemperature', 'C', '°C'),
  ...atDepths('ec', 'UsCm', 'µS/cm'),
});
export type SensorValues = Static<typeof SensorValues>;

export const SensorItem = Type.Object({
  mac: Mac,
  at: Time,
  msg: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535, description: "the sensor's message type" })),
  values: SensorValues,
});
export type SensorItem = Static<typeof SensorItem>;

/** A unit that opened its valve may report no more than that: only `mac` and `at` are required. */
export const IpcItem = Type.Object({
  mac: Mac,
  at: Time,
  charge: Type.Optional(Amount),
  clock: Type.Optional(Amount),
  ipcCrc: Type.Optional(Type.String({ pattern: '^[0-9A-F]{2}:[0-9A-F]{2}$' })),
  scheduleNum: Type.Optional(Count),
  cycleDay: Type.Optional(Count),
  cycleLen: Type.Optional(Count),
  mode: Type.Optional(Text),
  hops: Type.Optional(Count),
  valve: Type.Optional(Type.Unsafe<'open' | 'closed'>({ enum: ['open', 'closed'] })),
  polledAt: Type.Optional(Time),
});
export type IpcItem = Static<typeof IpcItem>;

export const RepeaterItem = Type.Object({ mac: Mac, at: Time, charge: Amount, hops: Type.Optional(Count) });
export type RepeaterItem = Static<typeof RepeaterItem>;

export const StateMessage = Type.Object({ online: Type.Boolean(), at: Type.Optional(Time) });
export type StateMessage = Static<typeof StateMessage>;

export const HelloMessage = Type.Object({
  serialNumber: Id,
  type: Type.Unsafe<0 | 1 | 100 | 101 | 102>({
    enum: [0, 1, 100, 101, 102],
    description: 'INC 0, LORA 1, IMSG_V1 100, LSG_V1 101, IMSG_V2 102',
  }),
  firmwareVersion: Type.Optional(Count),
  bootloaderVersion: Type.Optional(Count),
  listRev: Type.Optional(Count),
  bootId: Id,
  at: Type.Optional(Time),
});
export type HelloMessage = Static<typeof HelloMessage>;

export const StatusMessage = Type.Object({
  at: Time,
  settings: Type.Optional(
    Type.Object({
      rtcTime: Type.Optional(Time),
      ipcListSize: Type.Optional(Count),
      rptrListSize: Type.Optional(Count),
      schListSize: Type.Optional(Count),
      commsMaxAttempts: Type.Optional(Count),
      commsMaxTTL: Type.Optional(Count),
      chargeThreshold: Type.Optional(Amount),
      clockTreshold: Type.Optional(Amount),
      statusPeriod: Type.Optional(Count),
      timesetPeriod: Type.Optional(Count),
      channel: Type.Optional(Count),
      spfactor: Type.Optional(Count),
    }),
  ),
  info: Type.Optional(
    Type.Object({ firmwareVersion: Type.Optional(Count), bootloaderVersion: Type.Optional(Count) }),
  ),
  data: Type.Optional(
    Type.Object({
      lastRestart: Type.Optional(Time),
      validMessageCount: Type.Optional(Count),
      logFolderSize: Type.Optional(Amount),
    }),
  ),
});
export type StatusMessage = Static<typeof StatusMessage>;

const six = Type.Array(Type.Boolean(), { minItems: 6, maxItems: 6 });
export const IoMessage = Type.Object({ at: Time, inputs: six, relays: six });
export type IoMessage = Static<typeof IoMessage>;

export const AckMessage = Type.Object({
  cmdId: Id,
  at: Time,
  state: Type.Unsafe<'accepted' | 'progress' | 'done' | 'failed'>({
    enum: ['accepted', 'progress', 'done', 'failed'],
  }),
  mac: Type.Optional(Mac),
  done: Type.Optional(Count),
  total: Type.Optional(Count),
  error: Type.Optional(Text),
});
export type AckMessage = Static<typeof AckMessage>;

export const SensorMessage = Type.Object({ items: Type.Array(SensorItem) });
export const IpcMessage = Type.Object({ items: Type.Array(IpcItem) });
export const RepeaterMessage = Type.Object({ items: Type.Array(RepeaterItem) });

/** The `config` of D100_PumpControl and LegacyTlm_PumpControl. */
export const PumpControlConfig = Type.Object({
  highSetpoint: Type.Number({ minimum: 0, maximum: 100 }),
  lowSetpoint: Type.Number({ minimum: 0, maximum: 100 }),
  relayControl: Type.Boolean(),
  maxRunTime: Type.Integer({ minimum: 0, maximum: 1440 }),
});
export type PumpControlConfig = Static<typeof PumpControlConfig>;
