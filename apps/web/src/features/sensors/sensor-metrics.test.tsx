import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { emitStatusUpdate } from '../../api/live-events.ts';
import { Failure } from '../../testing/fake-api.ts';
// Much code for a test to wait for.
import '../../app/device-form-page.tsx';
import { renderApp } from '../../testing/render-app.tsx';
import { buildSensor, deviceApi, farmUID } from '../devices/device-fixtures.ts';
import { seriesValueText } from './series-labels.ts';
import type { SeriesNow, SeriesReply } from './sensors.queries.ts';

/** Half past six in the evening of 21 November on the farm's clock, which is 13 h ahead. */
const NOW = Date.parse('2026-11-21T05:30:00Z');
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
});

const sensor = buildSensor(1, { name: 'Trough' });
const ph: SeriesNow = {
  metric: 'custom.ph',
  label: 'pH',
  unit: '',
  kind: 'gauge',
  isBoolean: false,
  digits: null,
  time: '2026-11-21T05:20:00.000Z',
  value: 7.25,
  lately: [],
};
const leak: SeriesNow = { ...ph, metric: 'leak', label: 'Leak', kind: 'state', isBoolean: true, value: 1 };
const starts: SeriesNow = { ...ph, metric: 'counter.starts', label: 'Starts', kind: 'counter', value: 40 };

async function open(series: readonly SeriesNow[] | Failure, reply?: SeriesReply) {
  const api = deviceApi({ sensors: [sensor] }).on(
    'GET /series/list',
    series instanceof Failure ? series : { series: [...series] },
  );
  if (reply) api.on('GET /series', reply);
  const app = renderApp(`/sensor-device/${farmUID}/${sensor._id}`, { api });
  const panel = within(await screen.findByRole('region', { name: 'Everything this sensor says' }));
  return { ...app, api, panel };
}

test('each thing that a sensor says has its value and age; what can’t be is said to be invalid', async () => {
  const { panel } = await open([ph, { ...leak, value: null }, starts]);
  expect(await panel.findByRole('button', { name: 'pH 7.25' })).toBeTruthy();
  expect(panel.getByRole('button', { name: 'Leak Invalid value' })).toBeTruthy();
  expect(panel.getByRole('button', { name: 'Starts 40' })).toBeTruthy();
  expect(panel.getAllByText('10 min ago')).toHaveLength(3);
});

test('a sensor that said nothing yet says when that will change', async () => {
  const { panel } = await open([]);
  expect(await panel.findByText(/shows here from its first message on/)).toBeTruthy();
});

test('a failure is said, with a way to try again', async () => {
  const { panel } = await open(new Failure(500, 'Broken.'));
  expect(await panel.findByText(/Failed to fetch what this sensor says. \(500\)/)).toBeTruthy();
});

test('what is mapped now shows with its first report, not at the next round', async () => {
  const { panel, api } = await open([]);
  await panel.findByText(/from its first message on/);
  api.on('GET /series/list', { series: [ph] });
  emitStatusUpdate({
    type: 'flow',
    farmUID,
    uid: sensor._id,
    serialNumber: '',
    updatedAt: new Date(NOW).toISOString(),
  });
  expect(await panel.findByRole('button', { name: 'pH 7.25' })).toBeTruthy();
});

test('one of them opens with its chart, told by the extremes and in a table', async () => {
  const { metric, label, unit, kind, isBoolean, digits } = ph;
  const point = (time: string, value: number, lowest: number, highest: number) => ({
    time,
    value,
    lowest,
    highest,
  });
  const { user, panel, router } = await open([ph], {
    metric,
    label,
    unit,
    kind,
    isBoolean,
    digits,
    span: 'hour',
    points: [
      point('2026-11-20T04:00:00.000Z', 6.5, 5.75, 7),
      point('2026-11-21T04:00:00.000Z', 7.25, 7, 8.5),
    ],
  });
  await user.click(await panel.findByRole('button', { name: 'pH 7.25' }));
  expect(await panel.findByRole('figure', { name: 'pH of Trough' })).toBeTruthy();
  expect(panel.getByText('Between 5.75 and 8.5, at last 7.25.')).toBeTruthy();
  expect(router.state.location.search).toMatchObject({ said: 'custom.ph' });
  await user.click(panel.getByRole('button', { name: 'pH 7.25', expanded: true }));
  expect(panel.queryByRole('figure')).toBeNull();
});

test('a running total is added up by the farm’s day', async () => {
  const { metric, label, unit, kind, isBoolean, digits } = starts;
  const counted = (time: string, value: number) => ({ time, value, lowest: null, highest: null });
  const { user, panel } = await open([starts], {
    metric,
    label,
    unit,
    kind,
    isBoolean,
    digits,
    span: 'reading',
    // The farm's day begins at 11:00Z.
    points: [
      counted('2026-11-20T10:50:00.000Z', 3),
      counted('2026-11-20T11:10:00.000Z', 4),
      counted('2026-11-21T04:00:00.000Z', 5),
    ],
  });
  await user.click(await panel.findByRole('button', { name: 'Starts 40' }));
  expect(await panel.findByText('12 in all, at most 9 in one day.')).toBeTruthy();
});

test.each([
  [7.25, 'pH', null, '7.25 pH'],
  [7, '%', null, '7 %'],
  [0.1 + 0.2, 'V', null, '0.3 V'],
  [25218.4, 'L', null, '25,218 L'],
  [998.26, 'hPa', null, '998.3 hPa'],
  [-0.126, '°C', null, '-0.13 °C'],
  // Of a metric with a row, the decimals that its row has.
  [25218.4, 'L', 1, '25,218.4 L'],
  [62.37, '%', 1, '62.4 %'],
  [3.6, 'V', 2, '3.6 V'],
])('%d %s (%s decimals) is written as %s', (value, unit, digits, text) => {
  expect(seriesValueText({ unit, isBoolean: false, digits }, value)).toBe(text);
});
