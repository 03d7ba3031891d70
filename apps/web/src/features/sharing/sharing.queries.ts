import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { permissionsQuery } from '../../access/permissions.ts';
import { sharersSecondStepQuery } from '../../access/sharers-second-step.ts';
import { farmsCardQuery, farmsSummaryQuery } from '../../farm/farms.queries.ts';

/** An owner's shares, or those that an agent was invited to; in the server's order. */
export const invitesQuery = queryOptions({
  queryKey: ['invites'],
  queryFn: async ({ signal }) => (await call('GET /invites', { signal })).invites,
  staleTime: 0,
});

/** The farms that are shut to this person until there is a second step; asked anew. */
export async function shutFarms(queryClient: QueryClient): Promise<Set<string>> {
  const { askedBy } = await queryClient.fetchQuery({ ...sharersSecondStepQuery, staleTime: 0 });
  const shut = askedBy.filter(({ from }) => Date.parse(from) <= Date.now());
  return new Set(shut.flatMap(({ farms }) => farms.map(({ farmUID }) => farmUID)));
}

export const contactsQuery = queryOptions({
  queryKey: ['contacts'],
  queryFn: ({ signal }) => call('GET /contacts', { signal }),
  staleTime: 0,
});

/** What one share allows. */
export const shareQuery = (key: string) =>
  queryOptions({
    queryKey: ['share', key],
    queryFn: ({ signal }) => call('GET /permissions', { query: { key }, signal }),
    staleTime: 0,
  });

/** What a mailed key gives; `who` is signed in, or nobody: the answer depends on it. */
export const inviteQuery = (key: string, who: string) =>
  queryOptions({
    queryKey: ['invite', key, who],
    queryFn: ({ signal }) => call('GET /invite', { query: { key }, signal }),
    staleTime: 0,
  });

const PAGE = 50;

/** The owner's access log, the newest first, in pages of 50. */
export const accessLogQuery = infiniteQueryOptions({
  queryKey: ['access-log'],
  queryFn: ({ pageParam, signal }) =>
    call('GET /access-log', {
      query: { limit: PAGE, ...(pageParam !== undefined && { before: pageParam }) },
      signal,
    }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ events, isLast }) => (isLast ? undefined : events.at(-1)?.id),
  staleTime: 0,
});

/** Somebody answered an invitation, or rights changed: what follows from shares is asked for again where it is shown. */
export async function renewShares(queryClient: QueryClient): Promise<void> {
  await Promise.all(
    ['invites', 'contacts', 'share', 'access-log', 'owner-accounts', 'sharers-second-step'].map((name) =>
      queryClient.invalidateQueries({ queryKey: [name] }),
    ),
  );
}

/** A farm came or went: farms and rights are asked for, and there when this is done. */
export async function renewAccess(queryClient: QueryClient): Promise<void> {
  await Promise.all(
    [permissionsQuery, farmsCardQuery, farmsSummaryQuery].map(({ queryKey }) =>
      queryClient.refetchQueries({ queryKey }),
    ),
  );
}
