import { queryOptions } from '@tanstack/react-query';
import type { Api } from '@headrace/contract/api';
import { call } from '../../api/client.ts';

/** What a sensor says now. No live message tells of every kind of sensor. */
export const sensorMonitorQuery = (sensorUid: string) =>
  queryOptions({
    queryKey: ['sensor-monitor', sensorUid],
    queryFn: ({ signal }) => call('GET /sensor/monitor', { query: { sensorUid }, signal }),
    refetchInterval: 30_000,
  });

type HistoryAsked = Api['GET /sensor-history/:id']['query'];
export type SensorDataType = HistoryAsked['dataType'];
export type SensorDays = Pick<HistoryAsked, 'startDate' | 'endDate'>;
export type SensorHistoryReply = Api['GET /sensor-history/:id']['reply'];

/** The days from one up to and with another, DD-MM-YYYY. No live message tells of every kind of sensor. */
export const sensorHistoryQuery = (id: string, days: SensorDays, dataType: SensorDataType) =>
  queryOptions({
    queryKey: ['sensor-history', id, days, dataType],
    queryFn: ({ signal }) => call('GET /sensor-history/:id', { query: { id, ...days, dataType }, signal }),
    refetchInterval: 60_000,
  });

/** Under these a sensor's readings are told, whatever its type. */
const live = ['tank_level' as const, 'flow' as const, 'soil_moisture' as const, 'io' as const];

export type SeriesNow = Api['GET /series/list']['reply']['series'][number];
export type SeriesReply = Api['GET /series']['reply'];

/** Everything that a sensor says. */
export const seriesListQuery = (deviceId: string) =>
  queryOptions({
    queryKey: ['series-list', deviceId],
    queryFn: async ({ signal }) => (await call('GET /series/list', { query: { deviceId }, signal })).series,
    meta: { live, records: ['sensor'], uid: deviceId },
    refetchInterval: 60_000,
  });

/** One of the things that it says, on the days from one up to and with another, DD-MM-YYYY. */
export const seriesQuery = (deviceId: string, metric: string, days: SensorDays) =>
  queryOptions({
    queryKey: ['series', deviceId, metric, days],
    queryFn: ({ signal }) => call('GET /series', { query: { deviceId, metric, ...days }, signal }),
    meta: { live, uid: deviceId },
    refetchInterval: 60_000,
  });
