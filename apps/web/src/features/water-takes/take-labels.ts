import { enteredDigits } from '@headrace/contract/rules/number-text';
import type { TakeExceedance, TakeMetric, WaterTake } from '@headrace/contract/water-takes';
import type { VolumeState } from '@headrace/contract/rules/water-take/volume';
import { dayText, numberText } from '../../ui/format.ts';

/** Fewer decimals the more there is: 0.444, 57.0, 1,728. */
export const m3Text = (m3: number): string =>
  `${numberText(m3, m3 === 0 || Math.abs(m3) >= 1000 ? 0 : Math.abs(m3) >= 10 ? 1 : 3)} m³`;
export const lpsText = (lps: number): string => `${numberText(lps, 2)} L/s`;

/** What a consent allows, with the decimals that it was entered with. `least`: so many in any case. */
const enteredText = (value: number, least = 0): string =>
  numberText(value, Math.max(least, enteredDigits(value)));
export const limitM3Text = (m3: number): string => `${enteredText(m3)} m³`;
export const limitLpsText = (lps: number, least = 0): string => `${enteredText(lps, least)} L/s`;

export const stateLabels: Record<VolumeState, string> = {
  measured: 'measured',
  shared: 'shared out',
  estimated: 'estimated',
  missing: 'missing',
};

export const metricLabels: Record<TakeMetric, string> = {
  pulsesTotal: 'pulses, a running total',
  volumeTotalL: 'litres, a running total',
  pulses: 'pulses since the message before: volumes are estimates',
  volumeL: 'litres since the message before: volumes are estimates',
  flowLpm: 'a flow alone: volumes are estimates',
};

/** What the consent allows, in the order in which it counts. */
export function limitTexts(take: WaterTake): string[] {
  const { maxLps, maxM3Day, maxM37Day, maxM3Year } = take;
  const m3 = (value: number | null, of: string) => (value === null ? [] : `${limitM3Text(value)} ${of}`);
  return [
    maxLps === null ? [] : limitLpsText(maxLps),
    m3(maxM3Day, 'a day'),
    m3(maxM37Day, 'in 7 days'),
    m3(maxM3Year, 'a year'),
  ].flat();
}

export function validText({ validFrom, validTo }: Pick<WaterTake, 'validFrom' | 'validTo'>): string | null {
  if (validFrom && validTo) return `${dayText(validFrom)} to ${dayText(validTo)}`;
  if (validFrom) return `from ${dayText(validFrom)}`;
  return validTo ? `until ${dayText(validTo)}` : null;
}

const limitNames: Record<TakeExceedance['limit'], string> = {
  rate: 'the rate',
  day: 'the day’s volume',
  sevenDays: 'the volume of 7 days',
  year: 'the year’s volume',
  ended: 'what may be taken after the end of the consent',
};

/** "19.00 of 18.00 L/s: above the rate, within the meter's accuracy" */
export function exceedanceText({
  limit,
  value,
  most,
  isWithinAccuracy,
  isRestricted,
  isWhole,
}: TakeExceedance): string {
  const least = isWhole ? '' : 'at least ';
  if (limit === 'rate' && most === 0) return `${least}${lpsText(value)}, though nothing might be taken`;
  const figures =
    limit === 'rate'
      ? `${numberText(value, 2)} of ${limitLpsText(most, 2)}`
      : `${numberText(value, 1)} of ${limitM3Text(most)}`;
  const by = isRestricted ? ' by a restriction' : '';
  const how = isWithinAccuracy ? ', within the meter’s accuracy' : '';
  return `${least}${figures}: above ${limitNames[limit]}${by}${how}`;
}
