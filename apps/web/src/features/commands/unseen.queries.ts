import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

const EACH_5_MIN = 5 * 60_000;

/** What ended badly on a farm and this person has not seen since; asked again when a command has ended (`refetchOnCommandEnd`). */
export const unseenQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['commands', farmUID, 'unseen'],
    queryFn: async ({ signal }) =>
      (await call('GET /commands/unseen', { query: { farmUID }, signal })).commands,
    refetchInterval: EACH_5_MIN,
    meta: { farmUID, records: ['sprinkler', 'gateway'] },
  });
