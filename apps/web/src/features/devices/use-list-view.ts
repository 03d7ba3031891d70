import { useEffect, useMemo, useState } from 'react';
import { useSearch } from '@tanstack/react-router';
import { useNow } from '../../ui/clock.ts';
import { useSearchPatch } from '../../ui/url-state.ts';
import type { Listed, ListKind } from './list-kind.ts';
import { type DevicesSearch, filterCounts, FIRST_SORT, indexOf, narrowed, sorted } from './list-view.ts';

const MINUTE = 60_000;
/** The address follows the typing after this pause, ms: the list follows at once. */
const ADDRESS_MS = 300;

export interface ListView<T> {
  readonly shown: readonly T[];
  readonly counts: ReadonlyMap<string, number>;
  readonly search: DevicesSearch;
  readonly typed: string;
  readonly sort: string;
  /** In steps of a minute. */
  readonly now: number;
  readonly isNarrowed: boolean;
  readonly type: (text: string) => void;
  readonly change: (patch: Partial<DevicesSearch>) => void;
  readonly showAll: () => void;
}

/** Which devices are shown, in which order. All of it stands in the address. */
export function useListView<T extends Listed>(items: readonly T[], kind: ListKind<T>): ListView<T> {
  const search: DevicesSearch = useSearch({ strict: false });
  const patch = useSearchPatch<DevicesSearch>();
  const { typed, type } = useTyped(search.q, (q) => patch({ q }, { replace: true }));
  const now = Math.floor(useNow() / MINUTE) * MINUTE;
  const sort = search.sort ?? FIRST_SORT;
  const index = useMemo(() => indexOf(items), [items]);
  const ordered = useMemo(() => sorted(index, kind.columns, sort), [index, kind, sort]);
  const { show, group, gateway } = search;
  const shown = useMemo(
    () => narrowed(ordered, kind, { q: typed, show, group, gateway }, now),
    [ordered, kind, typed, show, group, gateway, now],
  );
  const counts = useMemo(() => filterCounts(items, kind, now), [items, kind, now]);
  return {
    shown,
    counts,
    search,
    typed,
    sort,
    now,
    isNarrowed: shown.length < items.length,
    type,
    change: (change) => patch(change, { replace: true }),
    showAll: () => {
      type('');
      patch({ q: undefined, show: undefined, group: undefined, gateway: undefined }, { replace: true });
    },
  };
}

/** What is typed is here at once and in the address soon; an address that somebody else changed is taken over. */
function useTyped(inAddress: string | undefined, write: (text: string | undefined) => void) {
  const [typed, setTyped] = useState(inAddress ?? '');
  const [seen, setSeen] = useState(inAddress);
  const isWritten = (inAddress ?? '') === typed.trim();
  if (inAddress !== seen) {
    setSeen(inAddress);
    // Not what was written from here a few letters ago.
    if (!typed.startsWith(inAddress ?? ' ')) setTyped(inAddress ?? '');
  }
  useEffect(() => {
    if (isWritten) return undefined;
    const timer = setTimeout(() => write(typed.trim() || undefined), ADDRESS_MS);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- `write` is made anew with each drawing
  }, [typed, isWritten]);
  return { typed, type: setTyped };
}
