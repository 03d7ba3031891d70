import type { Api } from '@headrace/contract/api';
import { GATEWAY_OUT_OF_CONTACT_MS, TANK_OUT_OF_CONTACT_MS } from '@headrace/contract/limits';
import type { FlowValue } from '@headrace/contract/flow';
import type { FlowUnit } from '@headrace/contract/rules/flow';
import { usefulDigits } from '../../ui/format.ts';
import type { HeadlineConfigs } from './headline-configs.ts';
import {
  daysAheadText,
  daysBackText,
  flowDayLabels,
  flowUnitLabels,
  hourLabel,
  metricUnits,
  portText,
  sumLabels,
} from './headline-labels.ts';

/** What a headline shows of an answer. */
export interface Fact {
  /** Of what: the tank's, the meter's, the input's name. */
  name: string;
  /** Which number of it: "Today Usage", "at 09:00". */
  detail: string;
  value: number | null;
  unit: string;
  digits: number;
  /** In place of a number: On or Off. */
  label?: string | undefined;
  /** Why there is no value. */
  reason: string;
  /** When it was measured, ISO. */
  at: string | null;
  /** Older than this it is stale, ms; absent: it never is, as what was used yesterday. */
  staleAfter?: number | undefined;
  /** Whose forecast it is; `isDemo`: made up. */
  source?: string | undefined;
  isDemo?: boolean | undefined;
}

const NO_DATA = 'No data';
/** A sensor that was silent for longer is out of contact, whatever it measures. */
const SENSOR_MS = TANK_OUT_OF_CONTACT_MS;
/** A forecast that couldn't be renewed for longer is old. */
const FORECAST_STALE_MS = 6 * 3_600_000;

type ReplyOf<K extends keyof Api> = Api[K]['reply'];

/** `askedFor`: that hour of today; a reading before it is old only by how long before. Epoch ms. */
export function temperatureFact(
  site: string,
  { time }: HeadlineConfigs['Temperature'],
  { temperature, at }: ReplyOf<'GET /headline/temperature'>,
  { now, askedFor }: { now: number; askedFor: number },
): Fact {
  return {
    name: site,
    detail:
      now < askedFor ? `Temperature now; ${hourLabel(time)} is to come` : `Temperature at ${hourLabel(time)}`,
    value: temperature,
    unit: '°C',
    digits: 1,
    reason: NO_DATA,
    at,
    staleAfter: SENSOR_MS + Math.max(0, now - askedFor),
  };
}

export const rainFact = (
  site: string,
  { days }: HeadlineConfigs['RainfallAccumulated'],
  { rain, at }: ReplyOf<'GET /headline/accumulated-rainfall'>,
): Fact => ({
  name: site,
  detail: `Rain: ${daysBackText(days)}`,
  value: rain,
  unit: 'mm',
  digits: 1,
  reason: NO_DATA,
  at,
  staleAfter: SENSOR_MS,
});

export const forecastFact = (
  { days }: HeadlineConfigs['RainForecast'],
  { rain, at, source, isDemo }: ReplyOf<'GET /headline/rain-forecast-accumulated'>,
): Fact => ({
  name: 'Rain forecast',
  detail: daysAheadText(days),
  value: rain,
  unit: 'mm',
  digits: 1,
  reason: source ? `${source} says nothing of these days` : 'There is no forecast for this farm',
  at,
  staleAfter: FORECAST_STALE_MS,
  source,
  isDemo,
});

export function tankFact(
  { unit }: HeadlineConfigs['TankLevel'],
  { name, value, valueInLitres, invalid, at }: ReplyOf<'GET /headline/tank'>,
): Fact {
  const known = unit === '%' ? value : valueInLitres;
  return {
    name,
    detail: 'Tank level',
    value: invalid ? null : known,
    unit,
    digits: 0,
    reason: invalid ? 'Invalid sensor value' : NO_DATA,
    at,
    staleAfter: SENSOR_MS,
  };
}

export const tankFlowFact = (
  { sumType, metric }: HeadlineConfigs['TankFlow'],
  { name, value, at }: ReplyOf<'GET /headline/tankflow'>,
): Fact => ({
  name,
  detail: sumLabels[sumType],
  value,
  ...metricUnits[metric],
  reason: sumType === 'current' ? 'No flow is reported' : NO_DATA,
  at,
  staleAfter: sumType === 'yesterday' ? undefined : SENSOR_MS,
});

const flowMembers: Record<FlowUnit, keyof FlowValue> = {
  lps: 'litresPerSecond',
  lph: 'litresPerHour',
  m3pd: 'cubicMetresDay',
};

export const flowFact = (
  { unit }: HeadlineConfigs['Flow'],
  { name, at, ...value }: ReplyOf<'GET /headline/flow'>,
): Fact => ({
  name,
  detail: 'Flow now',
  value: value[flowMembers[unit]],
  ...flowUnitLabels[unit],
  // It reported, but nothing that can be a flow.
  reason: at === null ? NO_DATA : 'Invalid sensor value',
  at,
  staleAfter: SENSOR_MS,
});

export const accumulatedFact = (
  { days }: HeadlineConfigs['AccumulatedFlow'],
  { name, value, at }: ReplyOf<'GET /headline/accumulated-flow'>,
): Fact => ({
  name,
  detail: `Flow: ${flowDayLabels[days]}`,
  value,
  unit: 'L',
  digits: 0,
  reason: NO_DATA,
  at,
  staleAfter: days === 'yesterday' ? undefined : SENSOR_MS,
});

/** Of a metric with a row the decimals that it has, else as many as say something. */
export function metricFact({
  name,
  label,
  unit,
  isBoolean,
  digits,
  value,
  at,
}: ReplyOf<'GET /headline/metric'>): Fact {
  return {
    name,
    detail: label,
    value: isBoolean ? null : value,
    unit,
    digits: value === null ? 0 : usefulDigits(value, digits),
    label: isBoolean && value !== null ? (value > 0 ? 'Yes' : 'No') : undefined,
    reason: at === null ? 'Not reported yet' : 'Invalid sensor value',
    at,
    staleAfter: SENSOR_MS,
  };
}

export function ioFact({ port }: HeadlineConfigs['IO'], reply: ReplyOf<'GET /headline/io'>): Fact {
  const isKnown = reply !== null && reply.at !== null;
  const text = portText(port);
  return {
    name: reply?.titles[port] || text,
    detail: text,
    value: null,
    unit: '',
    digits: 0,
    label: isKnown ? (reply[port] ? 'On' : 'Off') : undefined,
    reason: reply === null ? 'No gateway with inputs and relays' : 'The gateway has not been contacted yet',
    at: reply?.at ?? null,
    staleAfter: GATEWAY_OUT_OF_CONTACT_MS,
  };
}
