import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';

const FORECAST_MS = 15 * 60_000;

/** Ten days of forecast at the farm; null: there is none. */
export const forecastQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['forecast', farmUID],
    queryFn: ({ signal }) => call('GET /weather/forecast', { query: { farmUID }, signal }),
    staleTime: FORECAST_MS,
    refetchInterval: FORECAST_MS,
  });
