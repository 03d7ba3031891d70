import { dehydrate, hydrate, type Query, type QueryClient } from '@tanstack/react-query';
import { clear, createStore, del, delMany, get, getMany, setMany, type UseStore } from 'idb-keyval';
import { APP_VERSION } from '@headrace/contract/limits';
import { recallHearing, serverHeardAt } from './reach.ts';
import { session } from './session.ts';

/**
 * What was last seen is kept in this browser (IndexedDB), so that a farm can be looked at where there is no coverage. It is of one
 * account and one version of the app; docs/security.md says what, how long, and when it goes.
 */
const LAST_KNOWN = { days: 14, entryChars: 4_000_000, totalChars: 20_000_000 } as const;

interface Index {
  email: string;
  version: string;
  /** When the server was last heard of, epoch ms. */
  heardAt: number | null;
  /** The permissions of the account: with others what is kept may be of farms that it may no longer see. */
  rights: string;
  /** By the query's hash. */
  entries: Record<string, { at: number; chars: number }>;
}

const INDEX = 'index';
const RIGHTS_HASH = JSON.stringify(['permissions-list']);
const DAY_MS = 86_400_000;
let opened: { by: IDBFactory; store: UseStore } | undefined;
function store(): UseStore {
  if (opened?.by !== indexedDB)
    opened = { by: indexedDB, store: createStore('headrace-last-known', 'queries') };
  return opened.store;
}

/** One after the other, in all tabs. A browser that refuses storage, or has none left, keeps nothing. */
function inTurn(work: () => Promise<void>): Promise<void> {
  const safely = async () => {
    try {
      await work();
    } catch {
      // What is kept is for when there is nothing better: nobody waits for it.
    }
  };
  // Without https a browser has no locks.
  const locks = navigator.locks as LockManager | null | undefined;
  if (locks) return locks.request('headrace-last-known', safely);
  turn = turn.then(safely);
  return turn;
}
let turn: Promise<void> = Promise.resolve();

const isOwn = (index: Index | undefined): index is Index =>
  index?.email === session().email && index.version === APP_VERSION;
/** Staff look into farms of others: nothing of that stays. */
const mayKeep = (): boolean => session().logged && !session().isStaff;

/** What the account may see has come: before, nothing is kept, since nobody could tell later whether it may still be shown. */
export const areRightsKnown = (queryClient: QueryClient): boolean => rightsOf(queryClient) !== undefined;
const rightsOf = (queryClient: QueryClient): unknown =>
  queryClient.getQueryCache().get(RIGHTS_HASH)?.state.data;

/** Keeps these queries as they are now. */
export function keepLastKnown(queryClient: QueryClient, queries: readonly Query[]): Promise<void> {
  return inTurn(async () => {
    if (!mayKeep() || !areRightsKnown(queryClient)) return;
    const { email } = session();
    const rights = JSON.stringify(rightsOf(queryClient));
    const before = await get<Index>(INDEX, store());
    const isUsable = isOwn(before) && before.rights === rights;
    if (before && !isUsable) await clear(store());
    const texts = textsOf(queryClient, queries);
    const entries = { ...(isUsable && before.entries) };
    for (const [hash, text, at] of texts) entries[hash] = { at, chars: text.length };
    const dropped = outOfBounds(entries);
    for (const hash of dropped) delete entries[hash];
    const index: Index = {
      email,
      version: APP_VERSION,
      heardAt: serverHeardAt(),
      rights,
      entries,
    };
    if (session().email !== email || !mayKeep()) return;
    await delMany(dropped, store());
    const kept = texts
      .filter(([hash]) => hash in entries)
      .map(([hash, text]): [string, unknown] => [hash, text]);
    await setMany([...kept, [INDEX, index]], store());
  });
}

function textsOf(
  queryClient: QueryClient,
  queries: readonly Query[],
): [hash: string, text: string, at: number][] {
  const wanted = new Set(queries);
  return dehydrate(queryClient, { shouldDehydrateQuery: (query) => wanted.has(query) }).queries.map(
    (query) => [query.queryHash, JSON.stringify(query), query.state.dataUpdatedAt],
  );
}

/** Too old, too large, and what no longer fits beside what is newer. */
function outOfBounds(entries: Index['entries']): string[] {
  let total = 0;
  return Object.entries(entries)
    .toSorted(([, one], [, other]) => other.at - one.at)
    .filter(([, { at, chars }]) => {
      const isTooMuch =
        isTooOld(at) || chars > LAST_KNOWN.entryChars || total + chars > LAST_KNOWN.totalChars;
      if (!isTooMuch) total += chars;
      return isTooMuch;
    })
    .map(([hash]) => hash);
}

const isTooOld = (at: number): boolean => Date.now() - at > LAST_KNOWN.days * DAY_MS;

/** Puts what is kept where nothing newer is: all of it, or these queries by their hashes. */
export function recallLastKnown(queryClient: QueryClient, hashes?: readonly string[]): Promise<void> {
  return inTurn(async () => {
    const index = await get<Index>(INDEX, store());
    if (!isOwn(index) || !mayKeep()) return;
    const wanted = (hashes ?? Object.keys(index.entries)).filter((hash) => {
      const entry = index.entries[hash];
      return entry !== undefined && !isTooOld(entry.at);
    });
    const texts = await getMany<string | undefined>(wanted, store());
    if (!isOwn(index) || !mayKeep()) return;
    recallHearing(index.heardAt);
    const queries = texts.flatMap((text) => (text ? [JSON.parse(text) as never] : []));
    hydrate(queryClient, { queries, mutations: [] });
  });
}

/** Nothing of it stays: all, or one query. */
export function forgetLastKnown(hash?: string): Promise<void> {
  return inTurn(() => (hash === undefined ? clear(store()) : del(hash, store())));
}

/** What another account, or another version of the app, has left here goes. */
export function forgetOthers(): Promise<void> {
  return inTurn(async () => {
    const index = await get<Index>(INDEX, store());
    if (index && !isOwn(index)) await clear(store());
  });
}
