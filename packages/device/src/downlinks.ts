import { Type, type Static } from 'typebox';
import { LAST_COMMAND } from './commands.ts';
import { utcTimePattern } from './times.ts';

/** What a server says to a gateway. Lists are split in parts of a size that fits a message; `part` counts from 1. */

const Mac = Type.String({ pattern: '^(?:[0-9A-F]{12}|[0-9A-F]{16})$' });
const Time = Type.String({ pattern: utcTimePattern });
const Id = Type.String({ minLength: 1, maxLength: 100 });
const Count = Type.Integer({ minimum: 0 });
const Part = Type.Integer({ minimum: 1 });
const Members = Type.Record(Type.String(), Type.Unknown());

/** What a gateway keeps only if its hello says so in `supports`; others ignore it. */
const order = {
  priority: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 3,
      description: '0 stop, 1 start, 2 single, 3 many: lower is served first',
    }),
  ),
  seq: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'one counter for each gateway: tells which of a stop and a start is the newer',
    }),
  ),
  within: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'seconds from receipt in which it must have begun, by a clock that cannot be set',
    }),
  ),
};

export const CommandDown = Type.Object({
  cmdId: Id,
  type: Type.Integer({ minimum: 1, maximum: LAST_COMMAND }),
  mac: Type.Optional(Mac),
  name: Type.Optional(Type.String()),
  payload: Members,
  expiresAt: Time,
  maxOpenMinutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1440 })),
  ...order,
});
export type CommandDown = Static<typeof CommandDown>;

export const IpcListDown = Type.Object({
  rev: Count,
  part: Part,
  parts: Part,
  farmId: Type.String(),
  channel: Type.Integer(),
  ipcs: Type.Array(
    Type.Object({
      mac: Mac,
      name: Type.String(),
      serialNumber: Type.String(),
      farmId: Type.String(),
      channel: Type.Integer(),
      commsMode: Type.Integer({ description: 'Mesh 0, Local 1, Hybrid 2' }),
    }),
  ),
  repeaters: Type.Array(Type.Object({ mac: Mac, name: Type.String(), serialNumber: Type.String() })),
});
export type IpcListDown = Static<typeof IpcListDown>;

/**
 * `rev` names the plan, `part` 1 begins a sending of it: a plan that is sent again carries only the units still unanswered.
 * A unit in a newer plan is done by that one; an older plan keeps its other units. No units at all (part 1 of 1) withdraws
 * what is left of the plans up to `rev`.
 */
export const SchedulesDown = Type.Object({
  setId: Id,
  rev: Count,
  part: Part,
  parts: Part,
  /** Units not begun by then are left alone. */
  expiresAt: Type.Optional(Time),
  ...order,
  /** The same entries in a longer cycle are another schedule with the same `crc`. */
  cycleLen: Type.Optional(Type.Integer({ minimum: 1, description: 'days of the cycle' })),
  units: Type.Array(
    Type.Object({
      mac: Mac,
      crc: Type.String({ pattern: '^[0-9A-F]{2}:[0-9A-F]{2}$' }),
      entries: Type.Array(
        Type.Object({
          start: Type.Integer({ minimum: 0, maximum: 1439, description: 'minutes after local midnight' }),
          duration: Type.Integer({ minimum: 1, maximum: 1440, description: 'minutes' }),
          cycle: Type.Integer({ minimum: 1, description: 'day of the cycle' }),
        }),
      ),
    }),
  ),
});
export type SchedulesDown = Static<typeof SchedulesDown>;

/**
 * Levels are what the sensor itself reports (mm above the diaphragm), so that a gateway needs no tank maths. With a `rev` it
 * is acknowledged with `cmdId` = `io-{rev}`.
 */
export const IoSettingsDown = Type.Object({
  rev: Type.Optional(Count),
  relays: Type.Array(
    Type.Object({
      relay: Type.Integer({ minimum: 1, maximum: 6 }),
      sensorMac: Type.Union([Mac, Type.Null()]),
      onAtOrBelowMm: Type.Optional(Type.Number()),
      offAtOrAboveMm: Type.Optional(Type.Number()),
      maxOnMinutes: Type.Integer({ minimum: 0, description: '0 = no limit' }),
      overriddenAt: Type.Optional(Type.Union([Time, Type.Null()])),
    }),
  ),
});
export type IoSettingsDown = Static<typeof IoSettingsDown>;

/** Acknowledged with `cmdId` = `configId`. `mac` is the sensor's, or the gateway's own for its settings. */
export const ConfigDown = Type.Object({
  configId: Id,
  mac: Mac,
  configType: Type.String({
    description: 'D100_PumpControl, LegacyTlm_PumpControl, D100_FlowReset, IncSettings',
  }),
  config: Members,
  expiresAt: Type.Optional(Time),
});
export type ConfigDown = Static<typeof ConfigDown>;

/** Sent after every hello; with `cmdId` when somebody asked for it, and then acknowledged. */
export const TimeDown = Type.Object({
  utc: Time,
  offsetSeconds: Type.Integer({ minimum: -86_400, maximum: 86_400 }),
  cmdId: Type.Optional(Id),
});
export type TimeDown = Static<typeof TimeDown>;
