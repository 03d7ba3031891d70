import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { nullable, Time, Uid } from './schemas.ts';
import { needs } from './permissions.ts';

const oneOf = <T extends string>(...values: readonly T[]) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values] });
/** How far what is reckoned may be believed; each rule's own text says why. */
export const Confidence = oneOf('low', 'medium', 'high');
export type Confidence = Static<typeof Confidence>;

/** When a tank runs empty if it goes on as it does. */
const UntilEmpty = Type.Object({
  /** Days from now; `earliest` and `latest` bound it at 80 %; `latest` null: it may never. */
  days: Type.Number(),
  earliest: Type.Number(),
  latest: nullable(Type.Number()),
  /** Net litres a day that leave it. */
  litresPerDay: Type.Number(),
  confidence: Confidence,
  basis: Type.String({ description: 'what it rests on, in a sentence' }),
});
export type UntilEmpty = Static<typeof UntilEmpty>;

const LeakSigns = Type.Object({
  kind: oneOf('night-flow', 'night-fall'),
  since: Time,
  litresPerHour: Type.Number(),
  litresSoFar: Type.Number(),
  confidence: Confidence,
  basis: Type.String(),
});
export type LeakSigns = Static<typeof LeakSigns>;

const PumpSigns = Type.Object({
  since: Time,
  minutes: Type.Number(),
  risePercent: Type.Number(),
  confidence: Confidence,
  basis: Type.String(),
});
export type PumpSigns = Static<typeof PumpSigns>;

export const TankInsight = Type.Object({
  _id: Uid,
  name: Type.String(),
  untilEmpty: nullable(UntilEmpty),
  /** Why there is no forecast; empty when there is one. */
  noForecast: Type.String(),
  leak: nullable(LeakSigns),
  pump: nullable(PumpSigns),
});
export type TankInsight = Static<typeof TankInsight>;

export const MeterInsight = Type.Object({ _id: Uid, name: Type.String(), leak: nullable(LeakSigns) });
export type MeterInsight = Static<typeof MeterInsight>;

/** When a soil site's sensors reach the band where the person irrigates again. */
const UntilRefill = Type.Object({
  /** Days from now; 0: it is there. `latest` null: it may never, at this rate. */
  days: Type.Number(),
  earliest: Type.Number(),
  latest: nullable(Type.Number()),
  kpaNow: Type.Number(),
  kpaPerDay: Type.Number(),
  refillKpa: Type.Number(),
  confidence: Confidence,
  basis: Type.String(),
});
export type UntilRefill = Static<typeof UntilRefill>;

export const SiteInsight = Type.Object({
  _id: Uid,
  name: Type.String(),
  untilRefill: nullable(UntilRefill),
  noForecast: Type.String(),
  /** Average of its sensors now, kPa; null when silent, or none tells a tension. */
  kpaNow: nullable(Type.Number()),
  /** Where the caller irrigates again, kPa. */
  refillKpa: Type.Number(),
});
export type SiteInsight = Static<typeof SiteInsight>;

export const farmInsights = defineEndpoint({
  key: 'GET /insights',
  tag: 'Insights',
  summary:
    "What the farm's readings point to: tanks running empty, leaks, pumps that fill nothing, soil near its refill point. Reckoned, with its confidence; the refill point is the caller's own",
  needs: needs.tankSummary,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: Type.Object({
    at: Time,
    tanks: Type.Array(TankInsight),
    meters: Type.Array(MeterInsight),
    sites: Type.Array(SiteInsight),
  }),
});
