import Type, { type Static } from 'typebox';
import { nullable, Time, Uid } from './schemas.ts';

const Mark = Type.Object({
  since: Time,
  firedAt: Time,
  endedAt: nullable(Time),
  peak: nullable(Type.Number()),
});

/** What a device said, against what an alert says of it, and when it told. */
export const AlertChart = Type.Object({
  uid: Uid,
  name: Type.String(),
  unit: Type.String(),
  points: Type.Array(Type.Object({ at: Time, value: nullable(Type.Number()) }), {
    description: 'thinned to what a chart can show, lowest and highest kept',
  }),
  limit: Type.Number(),
  end: Type.Number(),
  marks: Type.Array(Mark),
});
export type AlertChart = Static<typeof AlertChart>;
