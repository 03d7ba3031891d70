import type { TankInfo, TankSite, TankSummary } from '@headrace/contract/tanks';
import { sensorTypes } from '@headrace/contract/sensor-types';
import { MINUTE, rakaia, uid } from './fixtures.ts';

/** Tanks for tests; each builder takes what the test is about. */
export const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();

export const buildTank = (n: number, over: Partial<TankSummary> = {}): TankSummary => ({
  _id: uid(1000 + n),
  name: `Tank ${n}`,
  gatewayUID: null,
  serialNumber: `TLM${1000 + n}`,
  description: '',
  location: { lat: -43.75 - n / 1000, lng: 172.02 },
  statusTime: ago(6 * MINUTE),
  isOutOfContact: false,
  condition: 0,
  type: sensorTypes.LEVEL,
  level: { value: 62, valueInLitres: 15_500, invalid: false },
  trending: 0,
  batteryVoltage: 3.9,
  flow: null,
  leakDetected: false,
  pumpControl: null,
  updatedAt: '2026-11-21T05:00:00.000Z',
  ...over,
});

export const buildInfo = (tank: TankSummary, over: Partial<TankInfo> = {}): TankInfo => ({
  ...tank,
  farmUID: rakaia._id,
  battery: 82,
  charge: false,
  fault: false,
  commsHealth: { commsInterval: 15, commsQuality: 0.97 },
  todayUsage: 1840,
  yesterdayUsage: 4260,
  volume: 25_000,
  offsetScaled: 20,
  height: 3000,
  toplevel: 2500,
  configUpdate: [],
  configUpdatedAt: '2026-11-02T01:30:00.000Z',
  ...over,
});

export const pump = (over: Partial<NonNullable<TankSummary['pumpControl']>> = {}) => ({
  highSetpoint: 85,
  lowSetpoint: 35,
  relayControl: true,
  relayState: true,
  inputState: null,
  maxRunTime: 240,
  ...over,
});

export const buildSite = (over: Partial<TankSite> = {}): TankSite => ({
  name: rakaia.name,
  centre: { lat: rakaia.lat, lng: rakaia.lng },
  boundaries: [
    { lat: -43.74, lng: 172.0 },
    { lat: -43.74, lng: 172.04 },
    { lat: -43.77, lng: 172.04 },
    { lat: -43.77, lng: 172.0 },
  ],
  gateways: [],
  repeaters: [],
  pois: [],
  sensorsLegacy: [],
  sensors: [],
  ...over,
});
