import Type, { type Static } from 'typebox';
import { BatteryChange, period } from './battery-life.ts';
import { defineEndpoint } from './endpoint.ts';
import { Time } from './schemas.ts';
import { CommandOfUnit, look, named, oneSprinkler } from './sprinkler-info.ts';
import { WateringRun } from './waterings.ts';

/** Of each kind in one reply, the newest. */
export const SPRINKLER_HISTORY_MOST = 500;

/** Another unit that took the place. */
export const UnitSwap = Type.Object({
  at: Time,
  from: Type.String({ description: 'serial number of the unit that was taken out' }),
  to: Type.String({ description: 'serial number of the unit that took its place' }),
  by: Type.String({ description: "a person's name; empty where nobody knows" }),
});
export type UnitSwap = Static<typeof UnitSwap>;

/** What happened at a sprinkler's place; each list has the newest first. */
export const SprinklerHistory = Type.Object({
  runs: Type.Array(WateringRun, { description: 'that began in the period' }),
  commands: Type.Array(CommandOfUnit, {
    description: 'that were sent to it in the period, without those that are told as swaps',
  }),
  swaps: Type.Array(UnitSwap),
  batteries: Type.Array(BatteryChange, {
    description: 'new batteries of the unit that stands there now, since it came',
  }),
  isCut: Type.Boolean({ description: `a list would have more than ${SPRINKLER_HISTORY_MOST}` }),
});
export type SprinklerHistory = Static<typeof SprinklerHistory>;

export const sprinklerHistory = defineEndpoint({
  key: 'GET /ipc/history',
  tag: 'Irrigation devices',
  summary: `What happened at a sprinkler's place: waterings, commands, swaps and new batteries, the newest ${SPRINKLER_HISTORY_MOST} of each`,
  needs: look,
  target: oneSprinkler,
  query: Type.Object({ ...named, ...period }),
  reply: SprinklerHistory,
});
