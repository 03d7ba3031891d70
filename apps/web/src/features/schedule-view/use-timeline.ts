import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { Timezone } from '@headrace/contract/farms';
import { parseDay } from '@headrace/contract/rules/farm-time';
import { useNow } from '../../ui/clock.ts';
import { useSearchPatch } from '../../ui/url-state.ts';
import { useChartZone, useHasChartZone } from '../../time-range/farm-zone.ts';
import { type Axis, axisOf } from './axis.ts';
import { type Shown, timelineQuery } from './timeline.queries.ts';
import type { ScheduleViewSearch, Span } from './view-search.ts';

/** What of the farm's watering is shown, by the address, and the answer. */
export function useTimeline(farmUID: string, widest: Span = '168') {
  const search: ScheduleViewSearch = useSearch({ strict: false });
  const patch = useSearchPatch<ScheduleViewSearch>();
  const zone: Timezone = useChartZone(farmUID);
  const hasZone = useHasChartZone(farmUID);
  const now = useNow();
  const span = widest === '24' ? '24' : (search.hours ?? '24');
  const day = (search.date === undefined ? null : parseDay(zone, search.date)) ?? now;
  const { from, to } = axisOf(zone, day, span);
  // The same object while it is the same time: rows that are drawn stay as they are.
  const axis: Axis = useMemo(() => ({ from, to }), [from, to]);
  const shown: Shown = { farmUID, ...axis, set: search.set };
  const query = useQuery({ ...timelineQuery(shown), enabled: hasZone });
  return { axis, shown, query, span, zone, now, search, patch };
}
