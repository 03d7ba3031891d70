import { useEffect, useState } from 'react';
import type { FarmCard, FarmSummary } from '@headrace/contract/farms';
import { needsAttention } from './farm-view-model.ts';

/** So long the farms wait for what they need, to come in their order at once. On a slow line they come by name instead, and stay so. */
const WAIT_MS = 1000;

/**
 * The farms with those first that need a person, or null as long as that isn't known. The order is kept while somebody looks: a tap
 * must not miss because a farm moved. It is made anew with each visit, also when the page comes back from behind others.
 */
export function useSteadyOrder(
  farms: FarmCard[],
  summaries: readonly FarmSummary[] | undefined,
  isKnown: boolean,
): FarmCard[] | null {
  const [order, setOrder] = useState<ReadonlyMap<string, number> | null>(null);
  const hasWaited = useHasWaited();
  useEffect(() => {
    const onShown = () => document.visibilityState === 'visible' && setOrder(null);
    document.addEventListener('visibilitychange', onShown);
    return () => document.removeEventListener('visibilitychange', onShown);
  }, []);
  const known = order ?? (isKnown || hasWaited ? attentionFirst(farms, summaries ?? []) : null);
  if (known !== order) setOrder(known);
  const placeOf = (farm: FarmCard) => known?.get(farm._id) ?? farms.length;
  return known && farms.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** The place of each farm: those that need a person, then the others, each as they came, by name. */
function attentionFirst(
  farms: readonly FarmCard[],
  summaries: readonly FarmSummary[],
): ReadonlyMap<string, number> {
  const needy = new Set(summaries.filter(needsAttention).map(({ farmUID }) => farmUID));
  const rank = ({ _id }: FarmCard) => (needy.has(_id) ? 0 : 1);
  return new Map(farms.toSorted((a, b) => rank(a) - rank(b)).map(({ _id }, place) => [_id, place]));
}

function useHasWaited(): boolean {
  const [hasWaited, setHasWaited] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setHasWaited(true), WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  return hasWaited;
}
