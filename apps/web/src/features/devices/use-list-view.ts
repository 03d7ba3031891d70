import { useMemo } from 'react';
import { useSearch } from '@tanstack/react-router';
import { useNow } from '../../ui/clock.ts';
import { useSearchPatch } from '../../ui/url-state.ts';
import { useTyped } from '../../ui/use-typed.ts';
import type { Listed } from '../../device-records/device-record.ts';
import type { ListKind } from './list-kind.ts';
import { type DevicesSearch, filterCounts, FIRST_SORT, indexOf, narrowed, sorted } from './list-view.ts';

const MINUTE = 60_000;

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
