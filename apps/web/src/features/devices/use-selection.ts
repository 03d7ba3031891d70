import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Listed } from '../../device-records/device-record.ts';

export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** `isRange`: with all between it and the one that was chosen before. */
  readonly toggle: (id: string, isRange: boolean) => void;
  readonly toggleAll: () => void;
  readonly clear: () => void;
}

/** Which devices are chosen. What is chosen stays so while the list shows others. */
export function useSelection<T extends Listed>(items: readonly T[], shown: readonly T[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string>(undefined);
  const order = useRef(shown);
  useEffect(() => {
    order.current = shown;
  }, [shown]);
  const ids = useMemo(() => existing(chosen, items), [chosen, items]);
  const toggle = useCallback((id: string, isRange: boolean) => {
    const range = isRange ? between(order.current, last.current, id) : [id];
    last.current = id;
    setChosen((before) => withAll(before, range, !before.has(id)));
  }, []);
  const all = shown.map(({ _id }) => _id);
  const toggleAll = () => setChosen(withAll(ids, all, !all.every((id) => ids.has(id))));
  return { ids, toggle, toggleAll, clear: () => setChosen(new Set()) };
}

/** Devices that are gone meanwhile are chosen no more. */
function existing(chosen: ReadonlySet<string>, items: readonly Listed[]): ReadonlySet<string> {
  if (chosen.size === 0) return chosen;
  const known = new Set(items.map(({ _id }) => _id));
  return new Set([...chosen].filter((id) => known.has(id)));
}

function between(shown: readonly Listed[], from: string | undefined, to: string): string[] {
  const places = [from, to].map((id) => shown.findIndex(({ _id }) => _id === id));
  if (places.includes(-1)) return [to];
  return shown.slice(Math.min(...places), Math.max(...places) + 1).map(({ _id }) => _id);
}

function withAll(
  before: ReadonlySet<string>,
  ids: readonly string[],
  isChosen: boolean,
): ReadonlySet<string> {
  const next = new Set(before);
  for (const id of ids) {
    if (isChosen) next.add(id);
    else next.delete(id);
  }
  return next;
}
