import { describe, expect, test } from 'vitest';
import type { FlowSummary } from '@headrace/contract/flow';
import type { Confidence, LeakSigns } from '@headrace/contract/insights';
import type { SoilSite } from '@headrace/contract/soil-moisture';
import type { SiteGateway } from '@headrace/contract/tanks';
import { HOUR, uid } from '../../testing/fixtures.ts';
import { ago, buildTank } from '../tanks/tank-fixtures.ts';
import { faultsOf, wellText } from './attention.ts';

const now = Date.now();
const gateway = (connected: boolean): SiteGateway => ({
  _id: uid(1),
  name: 'Shed',
  serialNumber: 'G1',
  type: 1,
  location: null,
  statusTime: null,
  connected,
});
const meter = (over: Partial<FlowSummary> = {}): FlowSummary => ({
  _id: uid(2),
  name: 'Main',
  serialNumber: 'F1',
  statusTime: ago(HOUR),
  isOutOfContact: false,
  invalid: false,
  value: { litresPerSecond: 1, litresPerHour: 3600, cubicMetresDay: 86.4 },
  history: [],
  ...over,
});
const site = (isOutOfContact: boolean, invalidProbes: SoilSite['invalidProbes'] = []): SoilSite => ({
  id: uid(3),
  name: 'North block',
  serialNumber: 'S1',
  lat: null,
  lng: null,
  swp1_name: 'Shallow',
  swp2_name: 'Deep',
  statusTime: ago(HOUR),
  isOutOfContact,
  invalidProbes,
});
const leak: LeakSigns = {
  kind: 'night-flow',
  since: ago(48 * HOUR),
  litresPerHour: 40,
  litresSoFar: 900,
  confidence: 'medium',
  basis: '',
};

describe('what is wrong', () => {
  const words = (devices: Parameters<typeof faultsOf>[0]) =>
    faultsOf(devices, now).map((fault) => `${fault.count} ${fault.words}`);

  test('with every kind of device comes the worst first, each by its name', () => {
    const tanks = [
      buildTank(1, { statusTime: ago(5 * HOUR) }),
      buildTank(2, { statusTime: ago(5 * HOUR) }),
      buildTank(3, { level: { value: 9, valueInLitres: 2250, invalid: false } }),
      buildTank(4, { batteryVoltage: 3.3, leakDetected: true }),
      buildTank(5, { level: { value: null, valueInLitres: null, invalid: true } }),
    ];
    const meters = [meter({ isOutOfContact: true }), meter({ invalid: true }), meter()];
    const sites = [site(true), site(true), site(false)];
    expect(words({ tanks, meters, sites, gateways: [gateway(false), gateway(true)] })).toEqual([
      '1 gateway offline',
      '2 tanks out of contact',
      '1 possible leak',
      '1 flow meter out of contact',
      '2 soil sites out of contact',
      '1 tank low level',
      '1 tank invalid value',
      '1 flow meter invalid value',
      '1 tank low battery',
    ]);
  });

  test('with tanks alone needs no name', () => {
    const tanks = [buildTank(1, { batteryVoltage: 3.3 })];
    expect(words({ tanks, meters: [meter()], gateways: [gateway(true)] })).toEqual(['1 low battery']);
  });

  test('with soil are the sensors that tell no tension, of sites that speak', () => {
    const sites = [site(false, ['swp1', 'swp2']), site(true, ['swp1']), site(false, ['swp2'])];
    expect(words({ sites })).toEqual(['1 soil site out of contact', '3 soil sensors invalid value']);
  });

  test('are leaks that readings point to: each tank once, and what runs behind meters', () => {
    const tanks = [
      buildTank(1, { leakDetected: true }),
      buildTank(2),
      buildTank(3),
      buildTank(4, { statusTime: ago(5 * HOUR) }),
    ];
    const found = (index: number) => ({ _id: tanks[index]?._id ?? '', leak, pump: null });
    const unsure = {
      _id: tanks[2]?._id ?? '',
      leak: { ...leak, confidence: 'low' as const },
      pump: null,
    };
    const insights = { tanks: [found(0), found(1), unsure, found(3)], meters: [{ _id: uid(2), leak }] };
    expect(words({ tanks, insights: { ...insights, meters: [] } })).toEqual([
      '1 out of contact',
      '2 possible leaks',
    ]);
    expect(words({ tanks, meters: [meter()], insights })).toEqual([
      '1 tank out of contact',
      '2 possible leaks',
      '1 possible leak behind a flow meter',
    ]);
    expect(words({ meters: [meter(), meter()], insights })).toEqual(['2 possible leaks behind flow meters']);
  });

  test('are pumps that lift too little, once that is more than a guess', () => {
    const tanks = [buildTank(1), buildTank(2), buildTank(3, { statusTime: ago(5 * HOUR) })];
    const found = (index: number, confidence: Confidence) => ({
      _id: tanks[index]?._id ?? '',
      leak: null,
      pump: { since: ago(3 * HOUR), minutes: 180, risePercent: 0.2, confidence, basis: '' },
    });
    const insights = { tanks: [found(0, 'medium'), found(1, 'low'), found(2, 'high')], meters: [] };
    expect(words({ tanks, insights })).toEqual(['1 out of contact', '1 pump may be lifting too little']);
  });

  test('what isn’t known is not wrong', () => {
    expect(words({})).toEqual([]);
  });
});

test.each([
  ['', {}],
  ['The tank is in contact, with water and battery.', { tanks: [buildTank(1)] }],
  [
    'All 2 tanks are in contact, with water and battery. 1 gateway is in contact.',
    { tanks: [buildTank(1), buildTank(2)], gateways: [gateway(true)] },
  ],
  [
    '1 flow meter, 1 soil site and 2 gateways are in contact.',
    { meters: [meter()], sites: [site(false)], gateways: [gateway(true), gateway(true)] },
  ],
])('when all is well: "%s"', (text, devices) => {
  expect(wellText(devices)).toBe(text);
});
