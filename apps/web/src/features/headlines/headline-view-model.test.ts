import { describe, expect, test } from 'vitest';
import { HOUR } from '../../testing/fixtures.ts';
import {
  accumulatedFact,
  flowFact,
  forecastFact,
  ioFact,
  rainFact,
  tankFact,
  tankFlowFact,
  temperatureFact,
} from './headline-view-model.ts';

const at = '2026-11-21T05:00:00.000Z';
const now = Date.parse(at);
const inputs = { input1: true, input2: false, input3: false, input4: false, input5: false, input6: false };
const relays = { relay1: false, relay2: true, relay3: false, relay4: false, relay5: false, relay6: false };

describe('a temperature of an hour of today', () => {
  const reply = { temperature: 11.24, at };
  const stale = (askedFor: number) =>
    temperatureFact('North block', { site: '', time: 9 }, reply, { now, askedFor }).staleAfter;

  test('names its site and hour', () => {
    expect(
      temperatureFact('North block', { site: '', time: 9 }, reply, { now, askedFor: now }),
    ).toMatchObject({
      name: 'North block',
      detail: 'Temperature at 09:00',
      value: 11.24,
      unit: '°C',
      digits: 1,
    });
  });

  test('is old by how long before that hour it was read, not by how long ago', () => {
    expect(stale(now - 5 * HOUR)).toBe(8 * HOUR);
  });

  test('of an hour to come is as old as it is, and says that it is of now', () => {
    expect(stale(now + 5 * HOUR)).toBe(3 * HOUR);
    const context = { now, askedFor: now + 5 * HOUR };
    expect(temperatureFact('North block', { site: '', time: 9 }, reply, context).detail).toBe(
      'Temperature now; 09:00 is to come',
    );
  });
});

describe('a tank', () => {
  const reply = { name: 'Top tank', value: 62, valueInLitres: 15_500, invalid: false, at };
  test.each([
    ['%', 62],
    ['L', 15_500],
  ] as const)('in %s is %d', (unit, value) => {
    expect(tankFact({ sensor: '', unit }, reply)).toMatchObject({ name: 'Top tank', value, unit, digits: 0 });
  });

  test('whose sensor says what can’t be has no number', () => {
    expect(tankFact({ sensor: '', unit: '%' }, { ...reply, invalid: true })).toMatchObject({
      value: null,
      reason: 'Invalid sensor value',
    });
  });

  test.each([
    ['today', 'm3', 'Today Usage', 'm³', 3 * HOUR],
    ['yesterday', 'L', 'Yesterday Usage', 'L', undefined],
    ['current', 'L/min', 'Current Flow', 'L/min', 3 * HOUR],
  ] as const)('its flow %s in %s', (sumType, metric, detail, unit, staleAfter) => {
    expect(tankFlowFact({ sensor: '', sumType, metric }, { name: 'Top tank', value: 4, at })).toMatchObject({
      detail,
      unit,
      value: 4,
      staleAfter,
    });
  });
});

describe('a flow meter', () => {
  const reply = { name: 'Main', litresPerSecond: 1.5, litresPerHour: 5400, cubicMetresDay: 129.6, at };
  test.each([
    ['lps', 1.5, 'L/s'],
    ['lph', 5400, 'L/h'],
    ['m3pd', 129.6, 'm³/day'],
  ] as const)('in %s is %d %s', (unit, value, label) => {
    expect(flowFact({ sensor: '', unit }, reply)).toMatchObject({ value, unit: label });
  });

  test('that reported nothing that can be a flow is invalid, one that never did has no data', () => {
    const none = { name: 'Main', litresPerSecond: null, litresPerHour: null, cubicMetresDay: null };
    expect(flowFact({ sensor: '', unit: 'lps' }, { ...none, at }).reason).toBe('Invalid sensor value');
    expect(flowFact({ sensor: '', unit: 'lps' }, { ...none, at: null }).reason).toBe('No data');
  });

  test.each([
    ['today', 'Flow: Today'],
    ['yesterday', 'Flow: Yesterday'],
    ['7', 'Flow: Last 7 days'],
    ['30', 'Flow: Last 30 days'],
  ] as const)('its litres of %s', (days, detail) => {
    expect(accumulatedFact({ sensor: '', days }, { name: 'Main', value: 9000, at })).toMatchObject({
      detail,
      value: 9000,
      unit: 'L',
    });
  });
});

test.each([
  [0, 'Rain: Today', 'Today'],
  [1, 'Rain: Since yesterday', 'Today and tomorrow'],
  [9, 'Rain: Since 9 days ago', 'Today and 9 more days'],
])('rain of %d days', (days, fallen, expected) => {
  expect(rainFact('North block', { site: '', days }, { rain: 4.2, at }).detail).toBe(fallen);
  expect(forecastFact({ days }, { rain: 4.2, at, source: 'Somebody', isDemo: true })).toMatchObject({
    detail: expected,
    source: 'Somebody',
    isDemo: true,
    unit: 'mm',
  });
});

test('a forecast that there is not says so', () => {
  expect(forecastFact({ days: 1 }, { rain: null, at: null, source: '', isDemo: false }).reason).toBe(
    'There is no forecast for this farm',
  );
});

describe('an input or a relay', () => {
  const reply = { ...inputs, ...relays, titles: { input1: 'Float', relay2: 'Bore pump' }, at };
  test.each([
    ['input1', 'Float', 'On'],
    ['input2', 'Input 2', 'Off'],
    ['relay2', 'Bore pump', 'On'],
    ['relay6', 'Relay 6', 'Off'],
  ] as const)('%s is "%s", %s', (port, name, label) => {
    expect(ioFact({ port }, reply)).toMatchObject({ name, label, staleAfter: 24 * HOUR });
  });

  test('of a gateway that never said anything is not known, and not off', () => {
    expect(ioFact({ port: 'relay2' }, { ...reply, at: null })).toMatchObject({
      label: undefined,
      reason: 'The gateway has not been contacted yet',
    });
    expect(ioFact({ port: 'relay2' }, null)).toMatchObject({
      label: undefined,
      reason: 'No gateway with inputs and relays',
    });
  });
});
