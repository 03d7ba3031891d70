import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { needs } from './permissions.ts';
import { DayText, Days, Uid } from './schemas.ts';

const Count = Type.Integer({ minimum: 0 });

/** What a gateway's radio did on one of the farm's days: sums, so that days can be put together. */
export const RadioDay = Type.Object({
  day: Type.String({ description: "YYYY-MM-DD, the farm's day" }),
  answered: Count,
  silent: Type.Integer({ minimum: 0, description: 'units that did not answer, or failed' }),
  triedUnits: Type.Integer({
    minimum: 0,
    description: 'of both, those of which the gateway said how often it asked',
  }),
  tries: Count,
  busyS: Type.Number({ description: 's between answers while other units waited' }),
  busyUnits: Count,
  hopsUnits: Type.Integer({ minimum: 0, description: 'units in service that said it in the week before' }),
  hops: Type.Number({ description: 'the sum of theirs at the end of the day' }),
});
export type RadioDay = Static<typeof RadioDay>;

export const RadioHealth = Type.Object({
  days: Type.Array(RadioDay, { description: 'the oldest first; none where the radio had nothing to do' }),
});
export type RadioHealth = Static<typeof RadioHealth>;

export const gatewayRadio = defineEndpoint({
  key: 'GET /gateway/radio',
  tag: 'Gateways',
  summary: "How a gateway's units answered, day by day: answers, tries, seconds each, hops",
  needs: needs.readGateways,
  target: { device: { in: 'query', name: 'deviceId' } },
  query: Type.Object({
    deviceId: Uid,
    period: Type.Optional({ ...Days, description: 'days up to and with stopAt; 1 unless said' }),
    stopAt: Type.Optional(DayText),
  }),
  reply: RadioHealth,
});
