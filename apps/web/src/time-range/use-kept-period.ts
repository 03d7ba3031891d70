import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { FilterTarget } from '@headrace/contract/settings';
import { farmsCardQuery } from '../farm/farms.queries.ts';
import { saveSettings, useSettings } from '../preferences/settings.queries.ts';
import { keepFilter, keptFilter, keptPeriod } from './kept-filter.ts';
import type { PeriodChoice } from './period.ts';

/** The days that a person chose for a chart on a farm, and how they are kept. Without a target nothing is. */
export function useKeptPeriod(farmUID: string, target: FilterTarget | undefined) {
  const queryClient = useQueryClient();
  const settings = useSettings();
  const farm = useQuery(farmsCardQuery).data?.find(({ _id }) => _id === farmUID);
  return {
    kept: target && keptPeriod(keptFilter(settings, farmUID, target)),
    keep: (choice: PeriodChoice) => {
      if (farm && target) saveSettings(queryClient, keepFilter(settings, farm, target, { choice }));
    },
  };
}
