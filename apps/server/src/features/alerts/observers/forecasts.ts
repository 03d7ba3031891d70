import { farmClock } from '@headrace/contract/rules/alerts/alert-texts';
import { addDays, dayStart } from '@headrace/contract/rules/farm-time';
import { sideOf } from '@headrace/contract/rules/alerts/sides';
import { toZone } from '../../farm-clock/farm-zone.ts';
import type { FarmView } from '../farm-view.ts';
import { FARM, type Observation, type RuleRow } from '../observation.ts';
import { classOf } from '../rule-life.ts';
import { limitOf } from './levels.ts';

/** From then on by the farm's clock the coldest of today is over, ms after midnight. */
const MORNING_MS = 9 * 3_600_000;

/** The coldest, or the most rain, of today and tomorrow, by the farm's forecast. An old one says nothing, and one that is made up neither. */
export async function observeForecast(view: FarmView, rule: RuleRow): Promise<Observation[]> {
  const limit = limitOf(rule);
  const zone = toZone(view.farm);
  const today = dayStart(zone, view.now);
  const isOver = rule.kind === 'Frost' && view.now - today >= MORNING_MS;
  const forecast = await view.forecast();
  const isKnown = forecast !== null && !forecast.isStale && !forecast.isDemo;
  const days = isKnown ? forecast.days.slice(isOver ? 1 : 0, 2) : [];
  const values = days.flatMap(({ minTemperature, rain }, index) => {
    const value = rule.kind === 'Frost' ? minTemperature : rain;
    return value === null ? [] : [{ value, day: index + (isOver ? 1 : 0) }];
  });
  const sign = rule.kind === 'Frost' ? 1 : -1;
  const [worst] = values.toSorted((one, other) => sign * (one.value - other.value));
  const value = worst?.value ?? null;
  const of = worst ? addDays(zone, today, worst.day) : today;
  const day = farmClock(zone, of, of - 2 * 86_400_000).replace(/, .*$/, '');
  const facts = { name: day, day, ...(forecast && { source: forecast.source }) };
  const seen = {
    side: sideOf(limit, value),
    at: view.now,
    value,
    class: classOf(rule, rule.kind === 'Frost' ? 'important' : 'info'),
  };
  return [{ deviceId: FARM, part: 0, facts, seen: [seen] }];
}
