import { QueryClient } from '@tanstack/react-query';
import type { RecordKind, StatusUpdate } from '@headrace/contract/live';
import { ApiError } from './client.ts';

/**
 * Which live messages make a query's answer old. With `farmUID` or `uid` only that farm's or device's do.
 * A query without `live` is fetched again only when the connection comes back. `records`: it shows something of records that
 * people change; not for what fills a form, whose text stays until it is saved.
 */
export interface LiveMeta extends Record<string, unknown> {
  live?: readonly StatusUpdate['type'][];
  records?: readonly RecordKind[];
  farmUID?: string | undefined;
  uid?: string | undefined;
  /** While it is shown its page brings in by itself what it hears: only unseen it grows old by a message. */
  bringsItselfUpToDate?: true;
}

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: LiveMeta;
  }
}

/** What is younger is shown again without being asked for. */
export const STALE_MS = 30_000;
const RETRIES = 2;
/** What the server had no time or no room for is asked for again by itself, ms. */
const AGAIN_MS = 10_000;

/** Refusals are final; a server that is away or restarting is asked again. Too many calls don't become fewer by that. */
export function isWorthRetrying(count: number, error: Error): boolean {
  const isRefusal = error instanceof ApiError && error.status >= 400 && error.status < 500;
  return !isRefusal && count < RETRIES;
}

/** What is refused for longer, as for the rest of the day, is asked for by hand, s. */
const AWAITED_S = 300;

/** When what failed is asked for again by itself, ms; false: not at all. */
function againAfter(error: unknown): number | false {
  if (!(error instanceof ApiError)) return false;
  if (error.status === 429 && error.retryAfterS !== null && error.retryAfterS <= AWAITED_S)
    return Math.max(1, error.retryAfterS) * 1000;
  return isForLater(error) && AGAIN_MS;
}

/** Where its database is away that is found out for all at once: see follow-last-known.ts. */
const isForLater = ({ status, code }: ApiError): boolean => status === 503 && code !== 'databaseAway';

export function createQueryClient(options: { retryDelayMs?: number } = {}): QueryClient {
  const { retryDelayMs } = options;
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        gcTime: 10 * 60_000,
        retry: isWorthRetrying,
        retryDelay: (attempt) => retryDelayMs ?? Math.min(1000 * 2 ** attempt, 8000),
        // Offline a query fails and says so; it doesn't show a skeleton for ever.
        networkMode: 'always',
        refetchOnReconnect: true,
        refetchInterval: ({ state }) => againAfter(state.error),
      },
      mutations: { networkMode: 'always' },
    },
  });
}
