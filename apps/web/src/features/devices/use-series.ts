import { useEffect, useRef, useState } from 'react';
import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { nextName, nextPlace } from '@headrace/contract/rules/next-in-line';
import type { LatLng } from '@headrace/contract/schemas';
import { isInside } from '../../map/geometry.ts';
import { toast } from '../../ui/toasts.ts';
import { farmQuery } from '../../farm/farms.queries.ts';
import { renewDevices } from '../changes/renew.ts';

interface Named {
  readonly name: string;
}

interface Standing extends Named {
  readonly place: LatLng | null;
}

interface NamesQuery {
  readonly queryKey: QueryKey;
  readonly select?: (data: never) => readonly Named[];
}

export interface SeriesOptions {
  readonly farmUID: string;
  /** The query of the farm's devices of this kind. */
  readonly list: NamesQuery;
  /** Characters of a name at most. */
  readonly nameMax: number;
  /** Whether they stand one behind the other, so that the next place follows from the last two. */
  readonly isLine?: boolean | undefined;
}

export interface Series {
  /** The place that the form began with and nobody chose. */
  readonly proposed: LatLng | null;
  /** After one was added: the name and the place of the next. */
  readonly next: (saved: Standing) => Standing;
}

/** Devices that are added one after the other: what the next one begins with. */
export function useSeries({ farmUID, list, nameMax, isLine = false }: SeriesOptions): Series {
  const queryClient = useQueryClient();
  const added = useRef<Standing[]>([]);
  const [proposed, setProposed] = useState<LatLng | null>(null);
  useEffect(
    () => () => {
      // While one adds, only the list is asked for anew; all else on the way out.
      if (added.current.length > 0) void renewDevices(queryClient);
    },
    [queryClient],
  );
  return {
    proposed,
    next: (saved) => {
      toast.success(`${saved.name.trim()} added.`, { id: 'added' });
      const before = added.current.at(-1);
      added.current.push(saved);
      const names = new Set([...namesIn(queryClient, list), ...added.current].map(({ name }) => name));
      const boundary = queryClient.getQueryData(farmQuery(farmUID).queryKey)?.boundary;
      const place = isLine ? withinFarm(nextPlace(before?.place, saved.place), boundary) : null;
      setProposed(place);
      void queryClient.invalidateQueries({ queryKey: list.queryKey });
      return { name: nextName(saved.name, nameMax, names), place };
    },
  };
}

function namesIn(queryClient: QueryClient, { queryKey, select }: NamesQuery): readonly Named[] {
  const data = queryClient.getQueryData(queryKey);
  if (data === undefined) return [];
  return select ? select(data as never) : (data as readonly Named[]);
}

/** A line ends at the fence. */
const withinFarm = (place: LatLng | null, boundary: readonly LatLng[] = []) =>
  place && boundary.length >= 3 && !isInside(boundary, place) ? null : place;
