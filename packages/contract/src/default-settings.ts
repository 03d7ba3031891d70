import type { DashboardCard, Settings, StressBand } from './settings.ts';

// No schema here: the browser carries this file.

/** Kinds of dashboard card, in their default order. spec 1 §3 */
export const cardTypes = [
  'Headline',
  'SoilMoisture',
  'Tank',
  'Flow',
  'IPCStatus',
  'IPCHealth',
  'IPCComms',
  'IO',
] as const;
export type CardType = (typeof cardTypes)[number];

export const cardLabels: Record<CardType, string> = {
  Headline: 'Headline',
  SoilMoisture: 'Soil Moisture',
  Tank: 'Tank Meter',
  Flow: 'Flow Meter',
  IPCStatus: 'Sprinkler Status',
  IPCHealth: 'Sprinkler Health',
  IPCComms: 'Sprinkler Communications',
  IO: 'Gateway I/O',
};

/** A farm of tanks has these cards alone. */
export const tankOnlyCards: readonly CardType[] = ['Headline', 'Tank'];

export const defaultCards: readonly DashboardCard[] = cardTypes.map((type) => ({
  type,
  visible: true,
  configs: {},
}));

/** What stands in a slot of the headline row, by the number it is stored with. spec 1 §3 */
export const headlineTypes = {
  Empty: -1,
  None: 0,
  Temperature: 1,
  RainfallAccumulated: 2,
  RainForecast: 3,
  TankLevel: 4,
  Flow: 5,
  AccumulatedFlow: 6,
  IO: 7,
  LocalTime: 8,
  TankFlow: 9,
  /** Ours: any value that a sensor reports. */
  Metric: 10,
} as const;
export type HeadlineType = keyof typeof headlineTypes;

/** The kinds that are offered, in the order of the picker, ours last. spec 2 §3.12 */
export const headlinePicker = [
  'Temperature',
  'RainForecast',
  'RainfallAccumulated',
  'TankLevel',
  'TankFlow',
  'Flow',
  'AccumulatedFlow',
  'IO',
  'LocalTime',
  'Metric',
] as const satisfies readonly HeadlineType[];

export const HEADLINE_SLOTS = 4;

/** Starts in kPa. spec 1 §3 */
export const defaultStressBands: readonly StressBand[] = [
  { idx: 0, name: 'Too full', start: 0, color: '#07369e' },
  { idx: 1, name: 'Full', start: 10, color: '#2c7ed6' },
  { idx: 2, name: 'Normal', start: 30, color: '#09a509' },
  { idx: 3, name: 'Refill', start: 60, color: '#f99b18' },
  { idx: 4, name: 'Stress', start: 100, color: '#eb2d17' },
];

/** What holds until a person saves settings, and for every member that is missing. */
export const defaultSettings: Settings = {
  currFarm: null,
  displayTooltips: true,
  displayPOI: true,
  displaySensors: true,
  displaySpares: false,
  showSpareReadyDialog: true,
  displayIPCMap: true,
  displayTankMap: true,
};
