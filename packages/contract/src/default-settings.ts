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
