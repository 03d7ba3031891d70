import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { SensorMonitor } from '@headrace/contract/sensors';
import { Failure } from '../../testing/fake-api.ts';
import { HOUR, MINUTE } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { ago } from '../../testing/tank-fixtures.ts';
import { buildSensor, deviceApi, farmUID } from '../devices/device-fixtures.ts';

const sensor = buildSensor(1, { type: sensorTypes.SWITCH });
const monitor = (over: Partial<SensorMonitor> = {}): SensorMonitor => ({
  sensorUid: sensor._id,
  name: sensor.name,
  type: sensorTypes.SWITCH,
  statusTime: ago(4 * MINUTE),
  status: 2,
  invalid: false,
  value: 1,
  rawValue: 1,
  battery: null,
  unit: '',
  since: ago(3 * HOUR + MINUTE),
  ...over,
});

async function open(answer: SensorMonitor | Failure) {
  const api = deviceApi({ sensors: [sensor] }).on('GET /sensor/monitor', answer);
  renderApp(`/sensor-device/${farmUID}/${sensor._id}`, { api });
  return within(await screen.findByRole('region', { name: 'Now' }));
}

test.each([
  ['on', monitor(), /^On.*since 3 h ago$/],
  ['off', monitor({ value: 0 }), /^Off.*since 3 h ago$/],
  ['invalid', monitor({ invalid: true, value: null, since: null }), /^Invalid sensor value$/],
  ['never heard', monitor({ value: null, statusTime: null, since: null, status: 1 }), /^No data$/],
])('a switch that is %s says so, and since when', async (_name, answer, text) => {
  const now = await open(answer);
  expect((await now.findByText((_t, element) => element?.tagName === 'P')).textContent).toMatch(text);
});

test('a failure has its words', async () => {
  const now = await open(new Failure(403, 'Not for you.'));
  expect(await now.findByText('Failed to monitor sensor. (403)')).toBeTruthy();
});
