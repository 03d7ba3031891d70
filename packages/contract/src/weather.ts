import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { nullable, Time, Uid } from './schemas.ts';
import { needs } from './permissions.ts';

export const ForecastDay = Type.Object({
  date: Type.String({ description: "YYYY-MM-DD, the farm's day" }),
  rain: nullable(Type.Number({ description: 'mm' })),
  /** Percent that any rain falls; null where the source doesn't say. */
  chance: nullable(Type.Number({ minimum: 0, maximum: 100 })),
  minTemperature: nullable(Type.Number({ description: '°C' })),
  maxTemperature: nullable(Type.Number({ description: '°C' })),
  /** Reference evapotranspiration, mm. */
  et0: nullable(Type.Number()),
});
export type ForecastDay = Static<typeof ForecastDay>;

export const Forecast = Type.Object({
  /** Whose forecast it is; shown with it. */
  source: Type.String(),
  /** Made up for demonstration: said wherever it is shown. */
  isDemo: Type.Boolean(),
  fetchedAt: Time,
  /** Older than it should be, since the source can't be reached. */
  isStale: Type.Boolean(),
  days: Type.Array(ForecastDay),
  windByHour: nullable(
    Type.Array(Type.Number(), {
      minItems: 24,
      maxItems: 24,
      description:
        'km/h at 10 m at each hour of the farm’s day, the middle of the days of the forecast; null: the source says too little of it',
    }),
  ),
});
export type Forecast = Static<typeof Forecast>;

export const weatherForecast = defineEndpoint({
  key: 'GET /weather/forecast',
  tag: 'Weather',
  summary:
    'Ten days of forecast at the farm, today first. null: no source is configured, or it never answered',
  needs: needs.tankSummary,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: nullable(Forecast),
});
