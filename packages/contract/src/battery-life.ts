import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { can } from './permissions.ts';
import { DayText, Days, nullable, oneOf, Time, Uid } from './schemas.ts';
import { look, named, oneSprinkler } from './sprinkler-info.ts';

export const period = {
  period: Type.Optional({ ...Days, description: 'days up to and with stopAt; 1 unless said' }),
  stopAt: Type.Optional(DayText),
};

/** When something was done that makes the charge another battery's. */
export const BatteryChange = Type.Object({
  at: Time,
  how: oneOf(['battery', 'unit']),
  by: Type.String({ description: "a person's name; empty where nobody knows" }),
});
export type BatteryChange = Static<typeof BatteryChange>;

export const BatteryLife = Type.Object({
  charge: Type.Array(
    Type.Object({
      time: Time,
      value: nullable(Type.Number({ description: '%; of a day its mean; null: what was said is no charge' })),
      lowest: nullable(Type.Number({ description: 'of a day' })),
      highest: nullable(Type.Number({ description: 'of a day' })),
    }),
    { description: 'the oldest first; nothing where nothing was heard' },
  ),
  span: oneOf(['reading', 'day']),
  changes: Type.Array(BatteryChange, {
    description:
      'in the period, the oldest first. battery: a new one; unit: another sprinkler took the place',
  }),
  threshold: Type.Number({ description: '%; low below it' }),
});
export type BatteryLife = Static<typeof BatteryLife>;

export const sprinklerBatteryLife = defineEndpoint({
  key: 'GET /ipc/batterylife',
  tag: 'Irrigation devices',
  summary: "A sprinkler's battery: every reading up to 60 days, means of days beyond",
  needs: look,
  target: oneSprinkler,
  query: Type.Object({ ...named, ...period }),
  reply: BatteryLife,
});

export const repeaterBatteryLife = defineEndpoint({
  key: 'GET /repeater/batterylife',
  tag: 'Repeaters',
  summary: "A repeater's battery: every reading up to 60 days, means of days beyond",
  needs: { anyOf: [can('repeaters', 'Read')] },
  target: { device: { in: 'query', name: 'deviceId' } },
  query: Type.Object({ deviceId: Uid, ...period }),
  reply: BatteryLife,
});
