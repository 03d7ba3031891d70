import type { FarmCard } from '@headrace/contract/farms';
import { farmPatch } from '@headrace/contract/rules/settings-farms';
import type { SettingsPatch } from '@headrace/contract/rules/settings-patch';
import type { FilterTarget, Settings } from '@headrace/contract/settings';
import { dayParam, oneOfParam } from '../ui/url-state.ts';
import { periods, type PeriodChoice } from './period.ts';

type Filter = NonNullable<Settings['filters']>[number];

const filtersOf = (settings: Settings, farmUID: string): readonly Filter[] =>
  settings.farms?.find(({ info }) => info.id === farmUID)?.filters ?? settings.filters ?? [];

/** What was kept for a chart of this farm; undefined when nothing was. */
export const keptFilter = (settings: Settings, farmUID: string, target: FilterTarget): Filter | undefined =>
  filtersOf(settings, farmUID).find((filter) => filter.target === target);

/** The days that were kept; undefined when nothing was, or nothing that is understood. */
export function keptPeriod(filter: Filter | undefined): PeriodChoice | undefined {
  const period = oneOfParam(filter?.timeScale, periods);
  if (!period) return undefined;
  const from = dayParam(filter?.range?.from.slice(0, 10));
  const to = dayParam(filter?.range?.to.slice(0, 10));
  return period === 'Custom' && from && to ? { period, from, to } : { period };
}

/** The settings' change that keeps something of a chart's filter, and leaves the rest of it. */
export function keepFilter(
  settings: Settings,
  farm: FarmCard,
  target: FilterTarget,
  change: { choice?: PeriodChoice; unit?: string },
): SettingsPatch {
  const filters = filtersOf(settings, farm._id);
  const { choice, unit } = change;
  const { from, to } = choice ?? {};
  const kept: Filter = {
    ...filters.find((filter) => filter.target === target),
    target,
    ...(choice && { timeScale: choice.period, range: from && to ? { from, to } : null }),
    ...(unit !== undefined && { unit }),
  };
  const others = filters.filter((filter) => filter.target !== target);
  return { farms: [farmPatch(farm, { filters: [...others, kept] })] };
}
