import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { FlowValue } from './flow.ts';
import { DayText, nullable, Time, Uid } from './schemas.ts';
import { IoState } from './gateway-io.ts';
import { needs } from './permissions.ts';
import { Metric, ofMetric } from './series.ts';
import { flowDays, tankFlowMetrics, tankFlowSums } from './rules/headline-options.ts';

/** `at`: when what is told of was measured. Nothing known is null, never an error. */
const at = nullable(Time);
const ofFarm = { farm: { in: 'query', name: 'farmUID' } } as const;
const ofSensor = { device: { in: 'query', name: 'sensorUid' } } as const;
const ofMeter = { device: { in: 'query', name: 'sensorUID' } } as const;

export const headlineTemperature = defineEndpoint({
  key: 'GET /headline/temperature',
  tag: 'Headlines',
  summary: "A site's temperature as last read before an hour of today (the farm's)",
  needs: needs.tankSummary,
  target: ofFarm,
  query: Type.Object({
    farmUID: Uid,
    site: Uid,
    time: Type.Optional(Type.Integer({ minimum: 0, maximum: 23, description: 'hour of the day' })),
  }),
  reply: Type.Object({ temperature: nullable(Type.Number({ description: '°C' })), at }),
});

export const headlineRain = defineEndpoint({
  key: 'GET /headline/accumulated-rainfall',
  tag: 'Headlines',
  summary: "Rain at a site from the start of a day (the farm's) to now, mm",
  needs: needs.tankSummary,
  target: ofFarm,
  query: Type.Object({ farmUID: Uid, site: Uid, startDate: DayText }),
  reply: Type.Object({ rain: nullable(Type.Number({ description: 'mm' })), at }),
});

export const headlineRainForecast = defineEndpoint({
  key: 'GET /headline/rain-forecast-accumulated',
  tag: 'Headlines',
  summary: 'Rain expected at a place: today and so many more days, mm',
  needs: needs.login,
  perMinute: 120,
  query: Type.Object({
    lat: Type.Number({ minimum: -90, maximum: 90 }),
    long: Type.Number({ minimum: -180, maximum: 180 }),
    days: Type.Integer({ minimum: 0, maximum: 9 }),
    dstEnabled: Type.Optional(
      Type.Boolean({
        description: 'false: by days of the standard time, as a farm that keeps it all year has them',
      }),
    ),
  }),
  reply: Type.Object({
    rain: nullable(Type.Number({ description: 'mm' })),
    /** When the forecast was fetched, and whose it is; null and empty when there is none. */
    at,
    source: Type.String(),
    isDemo: Type.Boolean({ description: 'made up, for demonstration' }),
  }),
});

export const headlineTank = defineEndpoint({
  key: 'GET /headline/tank',
  tag: 'Headlines',
  summary: 'The level of one tank',
  needs: needs.tankSummary,
  target: ofSensor,
  query: Type.Object({ sensorUid: Uid }),
  reply: Type.Object({
    name: Type.String(),
    value: nullable(Type.Number({ description: '%' })),
    valueInLitres: nullable(Type.Number()),
    invalid: Type.Boolean(),
    at,
  }),
});

export { flowDays, tankFlowMetrics, tankFlowSums };

export const headlineTankFlow = defineEndpoint({
  key: 'GET /headline/tankflow',
  tag: 'Headlines',
  summary: 'What was drawn from a tank today or yesterday (L, m3), or flows now (L/min, m3/h)',
  needs: needs.tankSummary,
  target: ofSensor,
  query: Type.Object({
    sensorUid: Uid,
    sumType: Type.Unsafe<(typeof tankFlowSums)[number]>({ type: 'string', enum: [...tankFlowSums] }),
    metric: Type.Unsafe<(typeof tankFlowMetrics)[number]>({ type: 'string', enum: [...tankFlowMetrics] }),
  }),
  reply: Type.Object({ name: Type.String(), value: nullable(Type.Number()), at }),
});

export const headlineFlow = defineEndpoint({
  key: 'GET /headline/flow',
  tag: 'Headlines',
  summary: 'What flows through a meter now',
  needs: needs.tankSummary,
  target: ofMeter,
  query: Type.Object({ sensorUID: Uid }),
  reply: Type.Object({ name: Type.String(), ...FlowValue.properties, at }),
});

export const headlineAccumulatedFlow = defineEndpoint({
  key: 'GET /headline/accumulated-flow',
  tag: 'Headlines',
  summary: 'Litres through a meter today, yesterday, or in the last 7 or 30 days with today',
  needs: needs.tankSummary,
  target: ofMeter,
  query: Type.Object({
    sensorUID: Uid,
    days: Type.Unsafe<(typeof flowDays)[number]>({ type: 'string', enum: [...flowDays] }),
  }),
  reply: Type.Object({ name: Type.String(), value: nullable(Type.Number({ description: 'litres' })), at }),
});

export const HeadlineIo = Type.Object({
  ...IoState.properties,
  titles: Type.Record(Type.String(), Type.String()),
  at,
});
export type HeadlineIo = Static<typeof HeadlineIo>;

export const headlineIo = defineEndpoint({
  key: 'GET /headline/io',
  tag: 'Headlines',
  summary: "Inputs and relays of the farm's first gateway that has them, with their titles",
  needs: needs.tankSummary,
  target: ofFarm,
  query: Type.Object({ farmUID: Uid }),
  reply: nullable(HeadlineIo),
});

/** Something that a sensor has reported: what a headline can show. */
export const ReportedMetric = Type.Object({
  sensorUid: Uid,
  sensorName: Type.String(),
  metric: ofMetric.metric,
  label: ofMetric.label,
  unit: ofMetric.unit,
});
export type ReportedMetric = Static<typeof ReportedMetric>;

export const headlineMetrics = defineEndpoint({
  key: 'GET /headline/metrics',
  tag: 'Headlines',
  summary: 'Every value that sensors of the farm have ever reported, to choose a headline from',
  needs: needs.tankSummary,
  target: ofFarm,
  query: Type.Object({ farmUID: Uid }),
  reply: Type.Object({ metrics: Type.Array(ReportedMetric) }),
});

export const headlineMetric = defineEndpoint({
  key: 'GET /headline/metric',
  tag: 'Headlines',
  summary: 'The newest value of one metric of a sensor; without a time when it was never reported',
  needs: needs.tankSummary,
  target: ofSensor,
  query: Type.Object({ sensorUid: Uid, metric: Metric }),
  reply: Type.Object({
    name: Type.String({ description: 'of the sensor' }),
    ...ofMetric,
    value: nullable(Type.Number({ description: 'null: never reported, or its newest report is invalid' })),
    at,
  }),
});
