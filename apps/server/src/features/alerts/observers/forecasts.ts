import { farmClock } from '@headrace/contract/rules/alerts/alert-texts';
import { addDays, clockTime, dayStart } from '@headrace/contract/rules/farm-time';
import { sideOf } from '@headrace/contract/rules/alerts/sides';
import type { ForecastDay } from '@headrace/contract/weather';
import { dayText } from '../../farm-clock/day-text.ts';
import { toZone } from '../../farm-clock/farm-zone.ts';
import type { FarmView } from '../farm-view.ts';
import { dayPart, FARM, type Observation, type RuleRow } from '../observation.ts';
import { classOf } from '../rule-life.ts';
import { limitOf } from './levels.ts';

/** From then on by the farm's clock the coldest of a day is over, s after midnight. */
const MORNING_S = 9 * 3600;
/** Today and tomorrow. */
const DAYS = 2;
/** What was told of a day that is over ends, also where nobody looked for some days. */
const PAST_DAYS = 7;

/**
 * The coldest, or the rain, of today and of tomorrow by the farm's forecast, each by itself: a second night of frost is told as the first
 * was. An old forecast says nothing, and one that is made up neither.
 */
export async function observeForecast(view: FarmView, rule: RuleRow): Promise<Observation[]> {
  const zone = toZone(view.farm);
  const today = dayStart(zone, view.now);
  const forecast = await view.forecast();
  const isKnown = forecast !== null && !forecast.isStale && !forecast.isDemo;
  const daysBy = new Map(isKnown ? forecast.days.map((day) => [day.date, day]) : []);
  return Array.from({ length: PAST_DAYS + DAYS }, (_none, index): Observation => {
    const start = addDays(zone, today, index - PAST_DAYS);
    const endAt = rule.kind === 'Frost' ? clockTime(zone, start, MORNING_S) : addDays(zone, start, 1);
    const date = dayText(zone, start);
    const isPast = view.now >= endAt;
    const value = isPast ? null : valueOf(rule, daysBy.get(date));
    // Two days ahead, so that it says its day.
    const day = farmClock(zone, start, start - 2 * 86_400_000).replace(/, .*$/, '');
    const seen = {
      side: isPast ? ('out' as const) : sideOf(limitOf(rule), value),
      at: isPast ? endAt : view.now,
      value,
      class: classOf(rule, rule.kind === 'Frost' ? 'important' : 'info'),
    };
    return {
      deviceId: FARM,
      part: dayPart(date),
      facts: { name: day, day, ...(forecast && { source: forecast.source }) },
      seen: [seen],
      ...(isPast && { over: { text: `${day} is over.`, isNotified: false } }),
    };
  });
}

const valueOf = ({ kind }: RuleRow, day: ForecastDay | undefined): number | null =>
  (kind === 'Frost' ? day?.minTemperature : day?.rain) ?? null;
