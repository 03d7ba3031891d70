import type { Timezone } from '@headrace/contract/farms';
import { DIARY_DAYS, type DiaryFilter, diaryFilters } from '@headrace/contract/irr-diary';
import { PERIOD_DAYS } from '@headrace/contract/limits';
import { farmDay, isChosen, lastDays, type Period, type PeriodChoice } from '../../time-range/period.ts';
import { serverNow } from '../../api/server-time.ts';

/** What the diary keeps in its address. */
export interface DiarySearch {
  period?: Period | undefined;
  from?: string | undefined;
  to?: string | undefined;
  group?: string | undefined;
  show?: string | undefined;
}

/** The farm's days, YYYY-MM-DD. */
export interface DiaryDays {
  start: string;
  stop: string;
}

/** A year is more than is told at once. */
export const diaryPeriods: readonly Period[] = ['Day', 'Week', 'Month', 'Custom'];

export const choiceOf = ({ period, from, to }: DiarySearch): PeriodChoice =>
  period && diaryPeriods.includes(period) ? { period, from, to } : { period: 'Custom' };

/** The days of a choice; the last 30 where none are chosen. */
export function daysOf(choice: PeriodChoice, zone: Timezone): DiaryDays {
  const { period, from, to } = choice;
  if (isChosen(choice) && from && to) return { start: from, stop: to };
  const count = period === 'Custom' ? DIARY_DAYS.usual : PERIOD_DAYS[period];
  const [start, stop] = lastDays(farmDay(zone, serverNow()), count);
  return { start, stop };
}

/** What went wrong comes first, unless something else is asked for. */
export const readDiaryFilter = (show: string | undefined): DiaryFilter | 'all' =>
  show === 'all' ? 'all' : (diaryFilters.find((filter) => filter === show) ?? 'troubles');
