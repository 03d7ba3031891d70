import type { Query, QueryClient } from '@tanstack/react-query';
import { ApiError, call, isUnanswered } from '../api/client.ts';
import {
  areRightsKnown,
  forgetLastKnown,
  forgetOthers,
  keepLastKnown,
  recallLastKnown,
} from '../api/last-known.ts';
import { isServerAway, missServer, onReach, serverHeardAt, whatIsMissing } from '../api/reach.ts';
import { onSession, onSignOut, session } from '../api/session.ts';

/** What is kept, by the first word of a query's key: how the farms are, not forms, histories, people or keys. */
const KEPT: ReadonlySet<unknown> = new Set([
  'settings',
  'ims-settings',
  'permissions-list',
  'farms-card',
  'farms-summary',
  'farm',
  'tanks',
  'tank',
  'tank-site',
  'flow-meters',
  'flow-histories',
  'soil-sites',
  'soil-history',
  'insights',
  'forecast',
  'headline',
  'gateway-io',
  'group-info',
  'groups-card',
  'gateways',
  'sprinkler-counts',
  'sprinkler-health',
  'sprinkler-comms',
  'groups',
  'walk-list',
]);
const isKept = ({ queryKey, state }: Query): boolean => KEPT.has(queryKey[0]) && state.data !== undefined;

/** What is new is kept soon, news of it by the minute, ms. */
const KEEP_MS = { first: 2000, later: 60_000 } as const;
/** Nothing heard for so long after the start: what was last known is shown until the server answers, ms. */
const SILENT_START_MS = 3000;
/** While the server has no database it is asked again after this long and up to twice as long, so that not all pages ask at once, ms. */
const ASK_DATABASE_MS = 5000;

/** Keeps what is seen, shows it where the server can't be reached, and asks anew once it can. Returns how to stop. */
export function followLastKnown(queryClient: QueryClient): () => void {
  const cache = queryClient.getQueryCache();
  const fresh = new Set<Query>();
  const known = new Set<string>();
  let soon: ReturnType<typeof setTimeout> | undefined;
  let later: ReturnType<typeof setTimeout> | undefined;
  let awaySince = 0;
  let asking: ReturnType<typeof setTimeout> | undefined;

  // Until the rights have come, what is new waits: they are the next that is new.
  const keep = (queries: readonly Query[]) => {
    if (!areRightsKnown(queryClient)) return;
    for (const query of queries) {
      fresh.delete(query);
      known.add(query.queryHash);
    }
    const full = queries.filter(isKept);
    if (full.length > 0) void keepLastKnown(queryClient, full);
  };
  const keepNew = () => {
    soon = undefined;
    keep([...fresh].filter(({ queryHash }) => !known.has(queryHash)));
  };
  const keepAll = () => {
    clearTimeout(later);
    later = undefined;
    keep([...fresh]);
  };
  const stopCache = cache.subscribe((event) => {
    if (event.type !== 'updated' || !KEPT.has(event.query.queryKey[0])) return;
    const { query, action } = event;
    if (action.type === 'success') {
      fresh.add(query);
      if (known.has(query.queryHash)) later ??= setTimeout(keepAll, KEEP_MS.later);
      else soon ??= setTimeout(keepNew, KEEP_MS.first);
    }
    if (action.type === 'error') meetError(queryClient, query);
  });
  const askForDatabase = () => {
    clearTimeout(asking);
    if (whatIsMissing() !== 'database') return;
    const ask = () => call('GET /ims-settings').catch(() => {});
    asking = setTimeout(() => void ask().then(askForDatabase), ASK_DATABASE_MS * (1 + Math.random()));
  };
  const stopReach = onReach(() => {
    askForDatabase();
    if (!session().logged) return;
    if (isServerAway()) {
      awaySince = Date.now();
      void recallLastKnown(queryClient);
    } else askAnew(queryClient, awaySince);
  });
  const miss = () => missServer();
  const hide = () => document.visibilityState === 'hidden' && keepAll();
  addEventListener('offline', miss);
  document.addEventListener('visibilitychange', hide);
  const silent = setTimeout(() => session().logged && serverHeardAt() === null && miss(), SILENT_START_MS);
  if (session().logged) {
    void forgetOthers();
    if (!navigator.onLine) miss();
  }
  const stops = [stopCache, stopReach, onSignOut(() => void forgetLastKnown()), followAccount(queryClient)];
  return () => {
    clearTimeout(soon);
    clearTimeout(later);
    clearTimeout(silent);
    clearTimeout(asking);
    removeEventListener('offline', miss);
    document.removeEventListener('visibilitychange', hide);
    for (const stop of stops) stop();
  };
}

/** No answer: what is kept of it is shown. A refusal: nothing of it is shown or kept any more. */
function meetError(queryClient: QueryClient, query: Query): void {
  const { error, data } = query.state;
  if (!(error instanceof ApiError)) return;
  if (isUnanswered(error) && data === undefined) void recallLastKnown(queryClient, [query.queryHash]);
  // A farm that one may no longer see is answered as if there were none.
  if (![401, 403, 404].includes(error.status)) return;
  void forgetLastKnown(query.queryHash);
  if (data !== undefined) query.setState({ ...query.state, data: undefined, dataUpdatedAt: 0 });
}

/** The server is there again: what it wasn't asked for meanwhile, or in vain, is asked for. */
function askAnew(queryClient: QueryClient, awaySince: number): void {
  void queryClient.invalidateQueries({
    predicate: ({ state }) => state.status === 'error' || state.dataUpdatedAt < awaySince,
  });
}

/** Another account signed in here, in another tab too: nothing of the one before is shown or kept. */
function followAccount(queryClient: QueryClient): () => void {
  let { email } = session();
  return onSession(() => {
    const { email: next, logged } = session();
    if (logged && email !== '' && email !== next) {
      queryClient.clear();
      void forgetLastKnown();
    }
    email = next;
  });
}
