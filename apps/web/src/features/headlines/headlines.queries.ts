import { queryOptions } from '@tanstack/react-query';
import type { FarmCard, Timezone } from '@headrace/contract/farms';
import { call } from '../../api/client.ts';
import type { HeadlineConfigs } from './headline-configs.ts';

/** How often a forecast is asked for anew, ms. */
const FORECAST_MS = 15 * 60_000;

/**
 * One call for each kind of headline. `today` is the farm's day: at midnight "today" is asked anew. While a changed
 * option is asked for, nothing of the one before is shown.
 */
export const temperatureQuery = (
  farmUID: string,
  today: string,
  { site, time }: HeadlineConfigs['Temperature'],
) =>
  queryOptions({
    queryKey: ['headline', 'temperature', farmUID, site, time, today],
    queryFn: ({ signal }) => call('GET /headline/temperature', { query: { farmUID, site, time }, signal }),
    meta: { live: ['soil_moisture'], uid: site },
    enabled: site !== '',
  });

/** `startDate`: YYYY-MM-DD, the farm's */
export const rainQuery = (farmUID: string, today: string, site: string, startDate: string) =>
  queryOptions({
    queryKey: ['headline', 'rain', farmUID, site, startDate, today],
    queryFn: ({ signal }) =>
      call('GET /headline/accumulated-rainfall', { query: { farmUID, site, startDate }, signal }),
    meta: { live: ['soil_moisture'], uid: site },
    enabled: site !== '',
  });

export const rainForecastQuery = (
  { lat, lng: long }: Pick<FarmCard, 'lat' | 'lng'>,
  { dstEnabled, dstOffset }: Pick<Timezone, 'dstEnabled' | 'dstOffset'>,
  today: string,
  { days }: HeadlineConfigs['RainForecast'],
) => {
  const isStandard = !dstEnabled && dstOffset > 0;
  const query = { lat, long, days, ...(isStandard && { dstEnabled: false }) };
  return queryOptions({
    queryKey: ['headline', 'rain-forecast', query, today],
    queryFn: ({ signal }) => call('GET /headline/rain-forecast-accumulated', { query, signal }),
    staleTime: FORECAST_MS,
    refetchInterval: FORECAST_MS,
  });
};

export const tankLevelQuery = (sensorUid: string) =>
  queryOptions({
    queryKey: ['headline', 'tank', sensorUid],
    queryFn: ({ signal }) => call('GET /headline/tank', { query: { sensorUid }, signal }),
    meta: { live: ['tank_level'], uid: sensorUid },
    enabled: sensorUid !== '',
  });

export const tankFlowQuery = (today: string, { sensor, sumType, metric }: HeadlineConfigs['TankFlow']) =>
  queryOptions({
    queryKey: ['headline', 'tank-flow', sensor, sumType, metric, today],
    queryFn: ({ signal }) =>
      call('GET /headline/tankflow', { query: { sensorUid: sensor, sumType, metric }, signal }),
    meta: { live: ['tank_level', 'flow'], uid: sensor },
    enabled: sensor !== '',
  });

export const meterFlowQuery = (sensorUID: string) =>
  queryOptions({
    queryKey: ['headline', 'flow', sensorUID],
    queryFn: ({ signal }) => call('GET /headline/flow', { query: { sensorUID }, signal }),
    meta: { live: ['flow'], uid: sensorUID },
    enabled: sensorUID !== '',
  });

export const accumulatedFlowQuery = (today: string, { sensor, days }: HeadlineConfigs['AccumulatedFlow']) =>
  queryOptions({
    queryKey: ['headline', 'accumulated-flow', sensor, days, today],
    queryFn: ({ signal }) =>
      call('GET /headline/accumulated-flow', { query: { sensorUID: sensor, days }, signal }),
    meta: { live: ['flow'], uid: sensor },
    enabled: sensor !== '',
  });

/** Under these a sensor's readings are announced, whatever its type. */
const anySensor = ['tank_level' as const, 'flow' as const, 'soil_moisture' as const, 'io' as const];

/** What sensors of the farm have ever reported. */
export const metricsQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['headline', 'metrics', farmUID],
    queryFn: async ({ signal }) =>
      (await call('GET /headline/metrics', { query: { farmUID }, signal })).metrics,
    meta: { live: anySensor, records: ['sensor'], farmUID },
  });

export const metricQuery = ({ sensor: sensorUid, metric }: HeadlineConfigs['Metric']) =>
  queryOptions({
    queryKey: ['headline', 'metric', sensorUid, metric],
    queryFn: ({ signal }) => call('GET /headline/metric', { query: { sensorUid, metric }, signal }),
    meta: { live: anySensor, records: ['sensor'], uid: sensorUid },
    enabled: sensorUid !== '' && metric !== '',
  });

export const ioQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['headline', 'io', farmUID],
    queryFn: ({ signal }) => call('GET /headline/io', { query: { farmUID }, signal }),
    meta: { live: ['io', 'gateway'], farmUID },
  });
