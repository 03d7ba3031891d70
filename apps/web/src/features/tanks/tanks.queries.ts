import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import type { HistoryRange } from '../../time-range/period.ts';

/** The farm's tanks. Where they are shown each card renews its own tank (live-cards.ts). */
export const tanksQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['tanks', farmUID],
    queryFn: async ({ signal }) => (await call('GET /lvl/suminfo', { query: { farmUID }, signal })).tanks,
    meta: { live: ['tank_level'], bringsItselfUpToDate: true, records: ['sensor'], farmUID },
  });

/** What the tank map draws beside the tanks. */
export const tankSiteQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['tank-site', farmUID],
    queryFn: ({ signal }) => call('GET /tank/site-info', { query: { farmUID }, signal }),
    meta: {
      live: ['gateway', 'repeater'],
      records: ['farm', 'gateway', 'repeater', 'sensor', 'poi'],
      farmUID,
    },
    staleTime: 5 * 60_000,
  });

export const tankInfoQuery = (sensorUid: string) =>
  queryOptions({
    queryKey: ['tank', sensorUid],
    queryFn: ({ signal }) => call('GET /level/full-info', { query: { sensorUid }, signal }),
    meta: { live: ['tank_level'], uid: sensorUid },
  });

const history = (name: string, uid: string, { days, stopAt }: HistoryRange) => ({
  queryKey: ['tank-history', name, uid, days, stopAt ?? 'today'],
  meta: { live: ['tank_level' as const], uid },
});

export const levelHistoryQuery = (sensorUid: string, range: HistoryRange) =>
  queryOptions({
    ...history('level', sensorUid, range),
    queryFn: async ({ signal }) =>
      (await call('GET /lvl/history', { query: { sensorUid, ...range }, signal })).history,
  });

export const usageHistoryQuery = (sensorId: string, range: HistoryRange) =>
  queryOptions({
    ...history('usage', sensorId, range),
    queryFn: async ({ signal }) =>
      (await call('GET /lvl/waterflow', { query: { sensorId, ...range }, signal })).history,
  });

export const batteryHistoryQuery = (sensorUid: string, range: HistoryRange) =>
  queryOptions({
    ...history('battery', sensorUid, range),
    queryFn: async ({ signal }) =>
      (await call('GET /tank/battery', { query: { sensorUid, ...range }, signal })).history,
  });

/** By serial number; `uid` is the same tank's, so that live messages find it. */
export const flowHistoryQuery = (serial: string, uid: string, range: HistoryRange) =>
  queryOptions({
    ...history('flow', uid, range),
    queryFn: async ({ signal }) =>
      (await call('GET /flow/history', { query: { serial, ...range }, signal })).history,
  });
