import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { MAINS_MAX, WINDOWS_MAX } from './limits.ts';
import { can } from './permissions.ts';
import { WaterMain } from './schedule-templates.ts';
import { LinesText, LineText, nullable, Time, Uid } from './schemas.ts';

const tag = 'Schedules';

/** A time of each day and why it is one. It goes over midnight where it ends where it begins or before. */
const SupplyTime = Type.Object({
  fromMin: Type.Integer({ minimum: 0, maximum: 1439, description: 'minute of the day' }),
  toMin: Type.Integer({ minimum: 0, maximum: 1440, description: 'minute of the day' }),
  why: LineText({ maxLength: 60 }),
});
export type SupplyTime = Static<typeof SupplyTime>;

/** What people enter. */
const entries = {
  maxLps: nullable(
    Type.Number({ exclusiveMinimum: 0, maximum: 100_000, description: 'L/s that the pump gives' }),
  ),
  windows: Type.Array(SupplyTime, {
    maxItems: WINDOWS_MAX,
    description: 'when water may be taken, as night tariff and consent hours; empty: at any time',
  }),
  avoid: Type.Array(SupplyTime, {
    maxItems: WINDOWS_MAX,
    description: 'when it should not be, as load control and milking',
  }),
  mains: Type.Array(WaterMain, {
    maxItems: MAINS_MAX,
    description:
      'pipes that give less than the pump, with the groups on them; a group that is gone is left out',
  }),
  notes: LinesText({ maxLength: 2000 }),
};

export const FarmSupply = Type.Object({
  farmUID: Uid,
  ...entries,
  version: Type.Integer({ minimum: 0, description: '0: nobody has entered anything yet' }),
  updatedAt: nullable(Time),
});
export type FarmSupply = Static<typeof FarmSupply>;
export type SupplyEntries = Pick<FarmSupply, keyof typeof entries>;

export const getSupply = defineEndpoint({
  key: 'GET /farm/supply',
  tag,
  summary: "What the farm's water supply allows: new schedule templates begin with it",
  needs: { anyOf: [can('schedules', 'Read')] },
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: FarmSupply,
});

export const putSupply = defineEndpoint({
  key: 'PUT /farm/supply',
  tag,
  summary:
    "Change what the farm's water supply allows. 409 with the newer one when somebody else changed it since `version`. Templates and sprinklers stay as they are",
  needs: { anyOf: [can('farms', 'Edit')] },
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({
    farmUID: Uid,
    version: Type.Optional(Type.Integer({ minimum: 0 })),
    ...entries,
    mains: Type.Optional({ ...entries.mains, description: 'absent: as they are' }),
  }),
  bodyMaxBytes: 64 * 1024,
  reply: FarmSupply,
});
