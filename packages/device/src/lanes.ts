import { commandInfo } from './commands.ts';

/**
 * In which order a gateway's radio serves commands, lower first; `priority` on the wire. Stops come before all else, what
 * opens water before questions to single units, and sends to many units last.
 */
export const lanes = { stop: 0, start: 1, single: 2, many: 3 } as const;
export type Lane = (typeof lanes)[keyof typeof lanes];

/** `payload`: a relay that is switched off is a stop, one that is switched on a start. What is for many units waits for all else. */
export function laneOf(type: number, payload: { readonly set?: unknown } = {}): Lane {
  const { water = null, target } = commandInfo(type) ?? {};
  switch (water) {
    case 'closes':
    case 'inhibits':
      return lanes.stop;
    case 'opens':
    case 'uninhibits':
      return lanes.start;
    case 'switches':
      return payload.set === true ? lanes.start : lanes.stop;
    case null:
      return target === 'units' ? lanes.many : lanes.single;
    default:
      return water satisfies never;
  }
}

/** Holds until it is taken back: the unit is not to water by its schedule. */
export const isInhibit = (type: number): boolean => commandInfo(type)?.water === 'inhibits';
/** Closes a unit's valve now. */
export const isValveOff = (type: number): boolean => commandInfo(type)?.water === 'closes';
/** Opens a unit's valve now. */
export const isValveOn = (type: number): boolean => commandInfo(type)?.water === 'opens';
