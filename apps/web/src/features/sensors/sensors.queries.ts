import { queryOptions } from '@tanstack/react-query';
import type { Api } from '@headrace/contract/api';
import { ApiError, call } from '../../api/client.ts';

export const sensorsQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['sensors', farmUID],
    queryFn: async ({ signal }) =>
      (await call('GET /sensor/devices', { query: { farmUid: farmUID }, signal })).sensors,
    meta: { records: ['sensor', 'gateway'], farmUID },
    refetchInterval: 60_000,
  });

export const sensorQuery = (deviceId: string) =>
  queryOptions({
    queryKey: ['sensor', deviceId],
    queryFn: ({ signal }) => call('GET /sensor', { query: { deviceId }, signal }),
    staleTime: 0,
  });

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

/** "Failed to update sensor. (409)": the specification's words, without their last full stop here. spec 1 §8 */
export const withStatus = (text: string, error: unknown): string =>
  `${text}. (${error instanceof ApiError ? error.status : 0})`;
