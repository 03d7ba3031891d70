import type { SprinklerInfo } from '@headrace/contract/sprinkler-info';
import { FORECAST_DAYS } from '@headrace/contract/rules/battery-forecast';
import { numberText } from '../../ui/format.ts';

type Battery = Pick<SprinklerInfo['battery'], 'charge' | 'replacedAt' | 'threshold' | 'forecast'>;
type Forecast = NonNullable<Battery['forecast']>;

/** How sure a forecast is, by how well its days agree. */
const agreement: Record<Forecast['confidence'], string> = {
  good: 'The readings of these days agree well.',
  fair: 'The readings of these days agree fairly well.',
  low: 'The readings of these days agree poorly: take it as a rough guess.',
};

/** How long the battery lasts, as far as that can be said. */
export function forecastText({ charge, replacedAt, threshold, forecast }: Battery): string {
  const limit = `${numberText(threshold)} %`;
  if (charge === null)
    return replacedAt === null
      ? 'It has said no charge yet.'
      : 'It has said no charge since its battery was replaced.';
  if (charge < threshold) return `It is low: below ${limit}.`;
  if (forecast === null)
    return `When it will be below ${limit} can't be said: its charge doesn't fall clearly, or fewer than ten days of it are known.`;
  const rate = numberText(-forecast.perDay, -forecast.perDay < 1 ? 2 : 1);
  return `Below ${limit} ${inDays(forecast)}, if it goes on falling by ${rate} % a day as in the last ${FORECAST_DAYS} days. ${agreement[forecast.confidence]}`;
}

/** "in about 34 days (28 to 41)" */
function inDays({ days, earliest, latest }: Forecast): string {
  const about = days === 0 ? 'within a day' : `in about ${days} ${days === 1 ? 'day' : 'days'}`;
  if (latest === null) return `${about} (${earliest} at the earliest; the latest can't be said)`;
  return earliest === latest ? about : `${about} (${earliest} to ${latest})`;
}
