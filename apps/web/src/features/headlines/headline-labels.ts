import type { HeadlineType } from '@headrace/contract/default-settings';
import type { FlowUnit } from '@headrace/contract/rules/flow';
import type {
  FlowDays,
  IoPort,
  TankFlowMetric,
  TankFlowSum,
} from '@headrace/contract/rules/headline-options';

/** What the kinds of headline are called. */
export const kindLabels: Record<HeadlineType, string> = {
  Empty: 'Empty',
  None: 'None',
  Temperature: 'Temperature',
  RainForecast: 'Rain forecast',
  RainfallAccumulated: 'Accumulated rainfall',
  TankLevel: 'Tank level',
  TankFlow: 'Tank flow',
  Flow: 'Flow',
  AccumulatedFlow: 'Accumulated flow',
  IO: 'Gateway I/O',
  LocalTime: 'Local time',
  Metric: 'Any sensor value',
};

/** spec 2 §3.12 */
export const sumLabels: Record<TankFlowSum, string> = {
  today: 'Today Usage',
  yesterday: 'Yesterday Usage',
  current: 'Current Flow',
};

export const metricUnits: Record<TankFlowMetric, { unit: string; digits: number }> = {
  L: { unit: 'L', digits: 0 },
  m3: { unit: 'm³', digits: 1 },
  'L/min': { unit: 'L/min', digits: 1 },
  'm3/h': { unit: 'm³/h', digits: 2 },
};

export const flowUnitLabels: Record<FlowUnit, { unit: string; digits: number }> = {
  lps: { unit: 'L/s', digits: 2 },
  lph: { unit: 'L/h', digits: 0 },
  m3pd: { unit: 'm³/day', digits: 1 },
};

export const flowDayLabels: Record<FlowDays, string> = {
  today: 'Today',
  yesterday: 'Yesterday',
  '7': 'Last 7 days',
  '30': 'Last 30 days',
};

/** "09:00" */
export const hourLabel = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

/** Rain from the start of a day to now. */
export function daysBackText(days: number): string {
  if (days === 0) return 'Today';
  return days === 1 ? 'Since yesterday' : `Since ${days} days ago`;
}

/** Rain expected today and so many more days. */
export function daysAheadText(days: number): string {
  if (days === 0) return 'Today';
  return days === 1 ? 'Today and tomorrow' : `Today and ${days} more days`;
}

/** "Input 1" */
export const portText = (port: IoPort): string =>
  `${port.startsWith('input') ? 'Input' : 'Relay'} ${port.slice(-1)}`;
