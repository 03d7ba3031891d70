import { HOURLY_MAX_DAYS, READINGS_MAX_DAYS } from '@headrace/contract/limits';
import type { Timezone } from '@headrace/contract/farms';
import { serverNow } from '../../api/server-time.ts';
import {
  askedDay,
  farmDay,
  isChosen,
  lastDays,
  type PeriodChoice,
  rangeOf,
} from '../../time-range/period.ts';
import type { SensorDays } from './sensors.queries.ts';

const askedDays = (choice: PeriodChoice) => Math.max(2, rangeOf(choice).days);

/** What the server answers with for these days. */
export function askedSpan(choice: PeriodChoice): 'reading' | 'hour' | 'day' {
  const days = askedDays(choice);
  if (days <= READINGS_MAX_DAYS) return 'reading';
  return days > HOURLY_MAX_DAYS ? 'day' : 'hour';
}

/** The farm's days to ask for. One day up to now begins yesterday: the night belongs to it. */
export function daysOf(choice: PeriodChoice, zone: Timezone): SensorDays {
  const { from, to } = choice;
  const isOwn = isChosen(choice) && from !== undefined && to !== undefined;
  const days = askedDays(choice);
  const [first, last] = isOwn ? [from, to] : lastDays(farmDay(zone, serverNow()), days);
  return { startDate: askedDay(first), endDate: askedDay(last) };
}
