import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

export const ownAccountQuery = queryOptions({
  queryKey: ['own-account'],
  queryFn: ({ signal }) => call('GET /account/details', { signal }),
});

/** What the account has used of what it may have a day. */
export const accountUsageQuery = queryOptions({
  queryKey: ['account-usage'],
  queryFn: ({ signal }) => call('GET /account/usage', { signal }),
});

/** What one signs in with besides the password. */
export const secondStepQuery = queryOptions({
  queryKey: ['second-step'],
  queryFn: ({ signal }) => call('GET /account/second-step', { signal }),
  staleTime: 0,
});

/** Where the account is signed in. */
export const sessionsQuery = queryOptions({
  queryKey: ['account-sessions'],
  queryFn: async ({ signal }) => (await call('GET /account/sessions', { signal })).sessions,
  staleTime: 0,
});
