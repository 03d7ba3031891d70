import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

/** The farm's soil moisture sites, by name. */
export const soilSitesQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['soil-sites', farmUID],
    queryFn: async ({ signal }) => (await call('GET /telemetry/sites', { query: { farmUID }, signal })).sites,
    meta: { live: ['soil_moisture'], records: ['sensor'], farmUID },
  });

/** One site's readings, hours or days, between two of the farm's days (YYYY-MM-DD); without the second up to now. */
export const soilHistoryQuery = (sensorUID: string, days: { from: string; to?: string | undefined }) =>
  queryOptions({
    queryKey: ['soil-history', sensorUID, days.from, days.to ?? 'today'],
    queryFn: async ({ signal }) => {
      const { from: date, to } = days;
      const query = { sensorUID, date, ...(to !== undefined && { to }) };
      const { span, data } = await call('GET /telemetry/soil-moisture', { query, signal });
      return { span, readings: data };
    },
    meta: { live: ['soil_moisture'], uid: sensorUID },
  });
