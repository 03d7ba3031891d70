import { Type, type Static } from 'typebox';
import { sensorValues } from './sensor-schema.ts';
import { parseUtcTime, utcTimePattern } from './times.ts';

/**
 * The messages of the gateway transport. Unknown members are ignored, missing optional ones are absent.
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

export const SensorItem = Type.Object({
  mac: Mac,
  at: Time,
  msg: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535, description: "the sensor's message type" })),
  values: sensorValues,
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
  via: Type.Optional(Mac),
  valve: Type.Optional(Type.Unsafe<'open' | 'closed'>({ enum: ['open', 'closed'] })),
  polledAt: Type.Optional(Time),
});
export type IpcItem = Static<typeof IpcItem>;

export const RepeaterItem = Type.Object({ mac: Mac, at: Time, charge: Amount, hops: Type.Optional(Count) });
export type RepeaterItem = Static<typeof RepeaterItem>;

export const StateMessage = Type.Object({ online: Type.Boolean(), at: Type.Optional(Time) });
export type StateMessage = Static<typeof StateMessage>;

/** Words of `supports` in a hello: optional members of `down/cmd` and `down/schedules` that a gateway keeps. */
export const gatewaySupports = ['priority', 'seq', 'within', 'cycleLen'] as const;
export type GatewaySupport = (typeof gatewaySupports)[number];
/** Beside them: the gateway itself closes valves after `maxOpenMinutes`, since its units can't count. */
export const gatewayCloses = 'maxOpenMinutes';

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
  supports: Type.Optional(
    Type.Array(Type.String({ maxLength: 40, pattern: printable }), {
      maxItems: 20,
      description: 'optional members of down/ that it keeps; unknown words are ignored',
    }),
  ),
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
  /** Of the unit in `mac`: how often the radio asked it until it answered, or until it was given up. */
  attempts: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
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
