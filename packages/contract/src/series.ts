import { type MetricKind, metricKinds } from '@headrace/device/metric-row';
import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { needs } from './permissions.ts';
import { DayText, nullable, Time, Uid } from './schemas.ts';

const Kind = Type.Unsafe<MetricKind>({ type: 'string', enum: [...metricKinds] });
/** The name of a metric in a query. */
export const Metric = Type.String({
  pattern: '^[a-z][A-Za-z0-9.-]{0,63}$',
  description: 'name of a metric, as in the device protocol: humidityPercent, custom.ph',
});

/** What is to be known of a metric to show its values. */
export const ofMetric = {
  metric: Metric,
  label: Type.String({ description: 'as people read it; of a value of its own as its mapping names it' }),
  unit: Type.String(),
  kind: Kind,
  isBoolean: Type.Boolean({ description: '1 is yes and 0 no' }),
  digits: nullable(Type.Integer({ description: 'decimals to show at most; null: by the size of the value' })),
};

/** One of the things that a sensor says. */
export const SeriesNow = Type.Object({
  ...ofMetric,
  time: Time,
  value: nullable(Type.Number({ description: 'null: the newest report has no valid value' })),
  /** By the hour of the last 24 hours; an hour in which nothing is known is left out. */
  lately: Type.Array(Type.Object({ time: Time, value: Type.Number() })),
});
export type SeriesNow = Static<typeof SeriesNow>;

export const seriesList = defineEndpoint({
  key: 'GET /series/list',
  tag: 'Sensors',
  summary: 'Everything that a sensor has ever said, with its newest values and its last day',
  needs: needs.readSensors,
  target: { device: { in: 'query', name: 'deviceId' } },
  query: Type.Object({ deviceId: Uid }),
  reply: Type.Object({ series: Type.Array(SeriesNow) }),
});

/** A reading, an hour or a day. */
export const SeriesPoint = Type.Object({
  time: Time,
  /** Its mean; of counters and deltas what was counted, of states and settings the last one; null: not known. */
  value: nullable(Type.Number()),
  lowest: nullable(Type.Number()),
  highest: nullable(Type.Number()),
});
export type SeriesPoint = Static<typeof SeriesPoint>;

export const series = defineEndpoint({
  key: 'GET /series',
  tag: 'Sensors',
  summary:
    'One of the things that a sensor says, from a day up to and with another: readings up to 8 days, hours up to 60, days beyond',
  needs: needs.readSensors,
  target: { device: { in: 'query', name: 'deviceId' } },
  query: Type.Object({ deviceId: Uid, metric: Metric, startDate: DayText, endDate: DayText }),
  reply: Type.Object({
    ...ofMetric,
    span: Type.Unsafe<'reading' | 'hour' | 'day'>({ type: 'string', enum: ['reading', 'hour', 'day'] }),
    points: Type.Array(SeriesPoint),
  }),
});
