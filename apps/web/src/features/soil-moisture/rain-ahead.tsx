import { useQuery } from '@tanstack/react-query';
import type { Timezone } from '@headrace/contract/farms';
import type { ForecastDay } from '@headrace/contract/weather';
import { Age } from '../../ui/age.tsx';
import { numberText } from '../../ui/format.ts';
import { Quantity } from '../../ui/quantity.tsx';
import { forecastQuery } from '../../device-records/forecast.queries.ts';
import classes from './soil-card.module.css';

/** Days that are shown of the forecast. */
const DAYS = 7;
/** A bar of full height, mm. */
const FULL_MM = 25;

const weekday = new Intl.DateTimeFormat('en-NZ', { weekday: 'short', timeZone: 'UTC' });
const dayName = (date: string, nth: number) =>
  nth === 0 ? 'Today' : weekday.format(Date.parse(`${date}T00:00:00Z`));

/** Rain of the next days, with whose forecast it is and how old. Absent where there is no forecast. */
export function RainAhead({ farmUID, zone }: { farmUID: string; zone: Timezone }) {
  const { data: forecast } = useQuery(forecastQuery(farmUID));
  if (!forecast || forecast.days.length === 0) return null;
  const { source, isDemo, isStale, fetchedAt, days } = forecast;
  return (
    <section className={classes.ahead} aria-labelledby="rain-ahead">
      <h3 id="rain-ahead">Rain ahead</h3>
      <ol className={classes.days}>
        {days.slice(0, DAYS).map((day, nth) => (
          <RainDay key={day.date} day={day} name={dayName(day.date, nth)} />
        ))}
      </ol>
      <p className={classes.source}>
        {isDemo && <b>Demo. </b>}
        {source}, <Age at={fetchedAt} zone={zone} />
        {isStale && '. Older than it should be: the source can’t be reached'}
      </p>
    </section>
  );
}

function RainDay({ day, name }: { day: ForecastDay; name: string }) {
  const { rain, chance } = day;
  const height = rain === null ? 0 : Math.min(1, rain / FULL_MM);
  return (
    <li>
      <span className={classes.dayName}>{name}</span>
      <span className={classes.bar} aria-hidden="true">
        <i style={{ height: `${Math.round(height * 100)}%` }} />
      </span>
      <Quantity value={rain} unit="mm" digits={rain !== null && rain > 0 && rain < 10 ? 1 : 0} />
      {chance !== null && <span className={classes.chance}>{numberText(chance)} %</span>}
    </li>
  );
}
