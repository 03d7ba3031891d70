import { queryOptions } from '@tanstack/react-query';
import { sensorTypes } from '@headrace/contract/sensor-types';
import { call } from '../../api/client.ts';

/** The farm's soil moisture sensors: each stands at a site of its own. */
export const soilSensorsQuery = (farmUid: string) =>
  queryOptions({
    queryKey: ['soil-sensors', farmUid],
    queryFn: async ({ signal }) =>
      (
        await call('GET /sensor/list', {
          query: { farmUid, type: String(sensorTypes.SOIL_MOISTURE) },
          signal,
        })
      ).sensors,
    staleTime: 60_000,
  });
