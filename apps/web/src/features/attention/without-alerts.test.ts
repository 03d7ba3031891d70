import { expect, test } from 'vitest';
import type { Attention } from '@headrace/contract/attention';
import { buildAttention, uid } from '../../testing/fixtures.ts';
import { withoutAlerts } from './without-alerts.ts';

const of = (...ids: number[]) =>
  ids.map((n) => ({
    uid: uid(n),
    name: `D${n}`,
    since: '2026-11-20T21:00:00.000Z',
    endedAt: null,
    sentence: '',
  }));
const alert = (kind: 'ValveOpen' | 'TankLow' | 'OutOfContact' | 'SprinklerError', ...ids: number[]) => ({
  kind,
  devices: of(...ids),
});
const open = (
  kind: 'valveOverdue' | 'unplannedWatering' | 'outOfContact' | 'sprinklerError',
  sprinklers: number,
  units?: string[],
): Attention => ({
  kind,
  count: 0,
  devices: [],
  sprinklers,
  ...(units && { units }),
});

test('an open valve that an alert tells of has one line, and another one that it does not tell of stays', () => {
  const both = open('valveOverdue', 2, [uid(1), uid(2)]);
  expect(withoutAlerts([both], [alert('ValveOpen', 1, 2)])).toEqual([]);
  expect(withoutAlerts([both], [alert('ValveOpen', 1, 9)])).toMatchObject([
    { sprinklers: 1, ofSprinklers: 2 },
  ]);
  expect(withoutAlerts([open('unplannedWatering', 1, [uid(1)])], [alert('ValveOpen', 1)])).toEqual([]);
});

test('sprinklers that are only counted stay counted, and nothing goes for an alert of something else, or one that is over', () => {
  const counted = open('valveOverdue', 30);
  expect(withoutAlerts([counted], [alert('ValveOpen', 1)])).toMatchObject([counted]);
  const one = open('valveOverdue', 1, [uid(1)]);
  expect(withoutAlerts([one], [alert('OutOfContact', 1)])).toMatchObject([one]);
  expect(withoutAlerts([one], [])).toMatchObject([one]);
  const over = alert('ValveOpen', 1);
  const ended = { ...over, devices: over.devices.map((device) => ({ ...device, endedAt: device.since })) };
  expect(withoutAlerts([one], [ended])).toMatchObject([one]);
});

test('so have sprinklers that missed a watering of which an alert tells by their groups, but not another watering', () => {
  const wateringEndAt = '2026-11-20T12:40:00.000Z';
  const missed: Attention = { kind: 'missedWatering', count: 0, devices: [], sprinklers: 4, wateringEndAt };
  const told = (sprinklers: number, endAt = wateringEndAt) => [
    { kind: 'Missed' as const, devices: [], watering: { endAt, sprinklers } },
  ];
  expect(withoutAlerts([missed], told(4))).toEqual([]);
  // Late reports say of one that it watered: the alert hears of that at its next look.
  expect(withoutAlerts([missed], told(5))).toEqual([]);
  expect(withoutAlerts([missed], told(3))).toMatchObject([{ sprinklers: 1, ofSprinklers: 4 }]);
  expect(withoutAlerts([missed], told(4, '2026-11-19T12:40:00.000Z'))).toMatchObject([missed]);
  expect(withoutAlerts([missed], [alert('ValveOpen', 1)])).toMatchObject([missed]);
});

test('so have a low tank, a silent device and an offline gateway, each by itself', () => {
  const low = buildAttention('lowLevel', ['Willows', 'Trough']);
  const [first, second] = low.devices;
  const told = { ...alert('TankLow'), devices: of(1).map((one) => ({ ...one, uid: first?._id ?? '' })) };
  expect(withoutAlerts([low], [told])).toMatchObject([{ ...low, count: 1, devices: [second] }]);
  const gateway = buildAttention('gatewayOffline', ['Shed'], { device: 'gateway' });
  const silent = of(1).map((one) => ({ ...one, uid: gateway.devices[0]?._id ?? '' }));
  expect(withoutAlerts([gateway], [{ ...alert('OutOfContact'), devices: silent }])).toEqual([]);
});

test('so have a silent sprinkler and one with an error, while they are few enough to be named', () => {
  const [errors, silent] = [open('sprinklerError', 3, [uid(1), uid(2)]), open('outOfContact', 1, [uid(3)])];
  const told = [alert('SprinklerError', 1, 2), alert('OutOfContact', 3)];
  // Of the third, which has two errors, the alert may tell one.
  expect(withoutAlerts([silent, errors], told)).toMatchObject([
    { kind: 'sprinklerError', sprinklers: 1, ofSprinklers: 3 },
  ]);
  const many = [open('sprinklerError', 131), open('outOfContact', 30)];
  expect(withoutAlerts(many, told)).toMatchObject(many);
});
