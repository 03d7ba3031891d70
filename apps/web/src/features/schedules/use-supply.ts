import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Limits } from '@headrace/contract/rules/schedule/plan';
import type { SupplyTime } from '@headrace/contract/supply';
import { supplyQuery } from '../../device-records/supply.queries.ts';

/** With what its hours are for. */
export interface SupplyLimits extends Limits {
  readonly windows: readonly SupplyTime[];
  readonly avoid: readonly SupplyTime[];
}

/** What the farm's water supply allows, as plans know it; null: it isn't known, or nobody has said. */
export function useSupply(farmUID: string): SupplyLimits | null {
  const { data } = useQuery(supplyQuery(farmUID));
  return useMemo(() => {
    if (!data) return null;
    const { maxLps, windows, avoid, mains } = data;
    const isNothing = maxLps === null && windows.length + avoid.length + mains.length === 0;
    return isNothing ? null : { maxLps, windows, avoid, mains };
  }, [data]);
}
