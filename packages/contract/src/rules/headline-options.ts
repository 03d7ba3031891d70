// No schema here: the browser carries this file.

/** What a headline of a tank's flow tells: used today, used yesterday, or flowing now. spec 2 §3.12 */
export const tankFlowSums = ['today', 'yesterday', 'current'] as const;
export type TankFlowSum = (typeof tankFlowSums)[number];

export const tankFlowMetrics = ['L', 'm3', 'L/min', 'm3/h'] as const;
export type TankFlowMetric = (typeof tankFlowMetrics)[number];

/** What was used is an amount; what flows now is a rate. */
export const metricsOf: Record<TankFlowSum, readonly [TankFlowMetric, TankFlowMetric]> = {
  today: ['L', 'm3'],
  yesterday: ['L', 'm3'],
  current: ['L/min', 'm3/h'],
};

export const tankUnits = ['%', 'L'] as const;
export type TankUnit = (typeof tankUnits)[number];

/** Days of flow in one number; 7 and 30 end with today. spec 2 §9 */
export const flowDays = ['today', 'yesterday', '7', '30'] as const;
export type FlowDays = (typeof flowDays)[number];

/** Hour of the day, days back before today, days ahead after today: first, last and what is chosen at first. spec 2 §9 */
export const headlineRanges = {
  time: { min: 0, max: 23, default: 9 },
  rainDaysBack: { min: 0, max: 29, default: 1 },
  forecastDays: { min: 0, max: 9, default: 1 },
} as const;

/** Inputs and relays of a gateway. */
export const ioPorts = [
  'input1',
  'input2',
  'input3',
  'input4',
  'input5',
  'input6',
  'relay1',
  'relay2',
  'relay3',
  'relay4',
  'relay5',
  'relay6',
] as const;
export type IoPort = (typeof ioPorts)[number];
