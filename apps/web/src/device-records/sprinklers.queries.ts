import { queryOptions } from '@tanstack/react-query';
import type { Ipc } from '@headrace/contract/irrigation-devices';
import { call } from '../api/client.ts';

/** A farm may have thousands, which report all the time: asked for by the minute, not with each report. */
export const sprinklersQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['sprinklers', farmUID],
    queryFn: async ({ signal }) =>
      (await call('GET /irrigation/devices', { query: { farmUID }, signal })).ipcs,
    meta: { records: ['sprinkler', 'group', 'gateway'], farmUID },
    refetchInterval: 60_000,
  });

export const sprinklerQuery = (deviceId: string) =>
  queryOptions({
    queryKey: ['sprinkler', deviceId],
    queryFn: ({ signal }): Promise<Ipc> => call('GET /ipc', { query: { deviceId }, signal }),
    staleTime: 0,
  });

/** The radio's farm id and channel last used on the farm. */
export const lastRadioQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['last-radio', farmUID],
    queryFn: ({ signal }) => call('PUT /ipc/last-farmid-and-channel', { body: { farmUID }, signal }),
    staleTime: 0,
    retry: false,
  });
