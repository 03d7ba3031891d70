import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

/** What is shown. Times in epoch ms. */
export interface Shown {
  readonly farmUID: string;
  readonly from: number;
  readonly to: number;
  /** A set that is looked at as if all held it. */
  readonly set: string | undefined;
}

/** Units report all the time, and time itself changes what will be to what was. */
const RENEW_MS = 60_000;

const asked = ({ farmUID, from, to, set }: Shown) => ({
  farmUID,
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
  ...(set !== undefined && { setUID: set }),
});

/** The lines of a farm. */
export const timelineQuery = (shown: Shown) =>
  queryOptions({
    queryKey: ['timeline', shown.farmUID, shown],
    queryFn: ({ signal }) => call('GET /schedules/timeline', { query: asked(shown), signal }),
    placeholderData: (before) => before,
    refetchInterval: RENEW_MS,
    refetchOnMount: 'always',
    meta: { records: ['farm', 'group', 'sprinkler'], farmUID: shown.farmUID },
  });

/** The sprinklers of some lines, by line; what was asked for a moment ago isn't asked for again. */
export const lineUnitsQuery = (shown: Shown, lines: readonly string[]) =>
  queryOptions({
    queryKey: ['timeline-lines', shown.farmUID, shown, lines],
    queryFn: async ({ client }) => {
      const answers = await Promise.all(lines.map((line) => client.fetchQuery(lineQuery(shown, line))));
      return new Map(lines.map((line, place) => [line, answers[place] ?? []]));
    },
    enabled: lines.length > 0,
    placeholderData: (before) => before,
    refetchInterval: RENEW_MS,
    meta: { records: ['sprinkler'], farmUID: shown.farmUID },
  });

const lineQuery = (shown: Shown, group: string) =>
  queryOptions({
    queryKey: ['timeline-line', shown.farmUID, shown, group],
    queryFn: async ({ signal }) =>
      (await call('GET /schedules/timeline', { query: { ...asked(shown), group }, signal })).units,
    staleTime: RENEW_MS / 2,
  });
