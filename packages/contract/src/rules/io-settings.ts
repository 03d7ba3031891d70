import type { IoRelay, IoSettings } from '../gateway-io.ts';
import { BLOCK_PERCENT, IO_MAX_ON_MINUTES, IO_TITLE_MAX, TANK_LOW_LEVEL_PERCENT } from '../limits.ts';
import { all, line, required } from './form-rules.ts';
import type { TankShape } from './tank.ts';

export const ioPorts = [1, 2, 3, 4, 5, 6] as const;
export type IoPort = (typeof ioPorts)[number];

/** spec 2 §8 */
export const ALMOST_FULL_TEXT = 'Linked tank is almost full, manual control not allowed.';
export const UNKNOWN_LEVEL_TEXT =
  'The level of the linked tank is not known, so nothing would stop this output. Please set a max on time first.';

/** Of a gateway whose labels nobody has edited. */
export function defaultIoSettings(): IoSettings {
  return Object.fromEntries([
    ...ioPorts.map((port) => [`input${port}`, { title: `Input ${port}` }]),
    ...ioPorts.map((port) => [
      `relay${port}`,
      { title: `Relay ${port}`, binding: null, maxOnTime: 0, overriddenAt: null },
    ]),
  ]) as IoSettings;
}

export interface IoFault {
  /** `relay3.title`, `relay3.binding`, `relay3.maxOnTime`, `input1.title` */
  readonly field: string;
  readonly message: string;
}

/**
 * One sentence for each field that is wrong; none when the settings can be saved. A relay is linked when its binding is
 * text: an empty one is linked without a sensor. `linkableIds`: the tank sensors of the same farm.
 */
export function ioFaults(settings: IoSettings, linkableIds: readonly string[]): IoFault[] {
  return ioPorts
    .flatMap((port) => [
      fault(`input${port}.title`, titleError(`Input ${port}`, settings[`input${port}`].title)),
      ...relayFaults(port, settings[`relay${port}`], linkableIds),
    ])
    .filter((each) => each !== null);
}

function relayFaults(port: IoPort, relay: IoRelay, linkableIds: readonly string[]): (IoFault | null)[] {
  const label = `Relay ${port}`;
  return [
    fault(`relay${port}.title`, titleError(label, relay.title)),
    fault(`relay${port}.binding`, bindingError(label, relay.binding, linkableIds)),
    fault(`relay${port}.maxOnTime`, maxOnError(label, relay.maxOnTime)),
  ];
}

const fault = (field: string, message: string | null): IoFault | null =>
  message === null ? null : { field, message };

function titleError(port: string, title: string): string | null {
  const label = `The label of ${port}`;
  return all(required(label), line(label, IO_TITLE_MAX))(title);
}

function bindingError(port: string, binding: IoRelay['binding'], ids: readonly string[]): string | null {
  if (binding === undefined || binding === null) return null;
  if (binding === '') return `${port} is linked: please choose its tank sensor.`;
  return ids.includes(binding) ? null : `${port} can only be linked to a tank sensor of this farm.`;
}

function maxOnError(port: string, minutes: IoRelay['maxOnTime']): string | null {
  if (minutes === undefined || minutes === null) return null;
  return Number.isInteger(minutes) && minutes >= 0 && minutes <= IO_MAX_ON_MINUTES
    ? null
    : `The max on time of ${port} must be a whole number from 0 to ${IO_MAX_ON_MINUTES} minutes (0: no limit).`;
}

/** Whether a hand may not turn a linked output on: its tank is almost full. `levelPercent` null: not known. */
export const isBlockedByLevel = (levelPercent: number | null, set: boolean): boolean =>
  set && levelPercent !== null && levelPercent >= BLOCK_PERCENT;

/**
 * Why a hand may not switch a linked output; null: it may. A level that isn't known (invalid, or older than three hours)
 * may be a full tank: then only the max on time stops the water, so without one it stays off. With one it is allowed, since
 * stock must be able to drink while a sensor is broken.
 */
export function switchRefusal(
  levelPercent: number | null,
  set: boolean,
  maxOnTime: number | null | undefined,
): string | null {
  if (isBlockedByLevel(levelPercent, set)) return ALMOST_FULL_TEXT;
  return set && levelPercent === null && !maxOnTime ? UNKNOWN_LEVEL_TEXT : null;
}

/** Since when a hand decides; null when it doesn't, or its max on time is over. */
export function overrideSince(
  relay: Pick<IoRelay, 'binding' | 'overriddenAt' | 'maxOnTime'>,
  now: number,
): string | null {
  if (!relay.binding || !relay.overriddenAt) return null;
  const minutes = relay.maxOnTime ?? 0;
  const isOver = minutes > 0 && now - Date.parse(relay.overriddenAt) >= minutes * 60_000;
  return isOver ? null : relay.overriddenAt;
}

export interface RelayThresholds {
  onAtOrBelowMm: number;
  offAtOrAboveMm: number;
}

/**
 * Levels as the sensor itself reports them, whole mm above its diaphragm: on at or below the low setpoint (below 20 % when
 * there is none), off from 95 %. What lies below the diaphragm is reported as 0: a setpoint down there means 0, or the tank
 * would never be filled. The lower level always stays below the upper one.
 */
export function relayThresholds(
  shape: Pick<TankShape, 'offset' | 'toplevel'>,
  pump: { lowSetpoint: number | null } | null,
): RelayThresholds {
  const mm = (percent: number) => (shape.toplevel * percent) / 100 - shape.offset;
  const low = pump?.lowSetpoint ?? null;
  const on = low === null ? Math.ceil(mm(TANK_LOW_LEVEL_PERCENT)) - 1 : Math.floor(mm(low));
  const offAtOrAboveMm = Math.ceil(mm(BLOCK_PERCENT));
  return { onAtOrBelowMm: Math.min(Math.max(0, on), offAtOrAboveMm - 1), offAtOrAboveMm };
}
