import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { TIMELINE_LINES, type TimelineUnit } from '@headrace/contract/timeline';
import { call } from '../../api/client.ts';
import { createBatches } from './batches.ts';

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

const LINE_KEY = 'timeline-line';
/** What came so soon before is as new, ms. */
const SAME_MS = 5000;

/** The sprinklers of a line. Until they are there those of the time that was shown before stand in for them. */
export const lineUnitsQuery = (client: QueryClient, shown: Shown, line: string) =>
  queryOptions({
    queryKey: [LINE_KEY, shown.farmUID, line, shown],
    queryFn: ({ signal }) => unitsOfLine(shown, line, signal),
    placeholderData: () => newest(client, shown.farmUID, line),
    // Renewed with the lines: all that are open in one call.
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Asks for the sprinklers of open lines again, where they are older than what came at `at` (epoch ms). */
export const renewLineUnits = (client: QueryClient, farmUID: string, at: number): Promise<void> =>
  client.invalidateQueries(
    { queryKey: [LINE_KEY, farmUID], predicate: ({ state }) => at - state.dataUpdatedAt > SAME_MS },
    { cancelRefetch: false },
  );

function newest(client: QueryClient, farmUID: string, line: string): TimelineUnit[] | undefined {
  const known = client.getQueryCache().findAll({ queryKey: [LINE_KEY, farmUID, line] });
  const last = known.toSorted((one, other) => other.state.dataUpdatedAt - one.state.dataUpdatedAt)[0];
  return last?.state.data as TimelineUnit[] | undefined;
}

/** Lines that are asked for at the same moment are one call: the server reckons the farm once for all of them. */
const unitsOfLine = createBatches<Shown, TimelineUnit[]>(TIMELINE_LINES, async (shown, lines, signal) => {
  const { units } = await call('GET /schedules/timeline', {
    query: { ...asked(shown), group: [...lines] },
    signal,
  });
  return (name) => units.filter(({ line }) => line === name);
});
