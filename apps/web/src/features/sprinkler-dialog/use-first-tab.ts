import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { MapUnit } from '@headrace/contract/map-units';
import { sprinklerInfoQuery } from './sprinkler-info.queries.ts';

/**
 * The tab that a unit opens with where the address names none: its battery when that is at or below the threshold, else its
 * schedule. Decided once for a unit: news that come while somebody reads don't change the tab under them.
 */
export function useFirstTab(unit: MapUnit, farmUID: string): 'battery' | 'schedule' {
  const { data: info } = useQuery(sprinklerInfoQuery(unit.id, farmUID));
  const [isLow, setIsLow] = useState<boolean | null>(unit.hasBatteryError || null);
  // Exactly at the threshold it isn't low by its status: that is known with all of it.
  if (isLow === null && info) {
    const { charge, threshold } = info.battery;
    setIsLow(charge !== null && charge <= threshold);
  }
  return isLow ? 'battery' : 'schedule';
}
