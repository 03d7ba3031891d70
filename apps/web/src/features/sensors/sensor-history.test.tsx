import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { SensorMonitor } from '@headrace/contract/sensors';
import { Failure } from '../../testing/fake-api.ts';
// Much code for a test to wait for.
import '../../app/device-form-page.tsx';
import { renderApp } from '../../testing/render-app.tsx';
import { buildSensor, deviceApi, farmUID } from '../devices/device-fixtures.ts';
import type { SensorHistoryReply } from './sensors.queries.ts';

/** Half past six in the evening of 21 November on the farm's clock, which is 13 h ahead. */
const NOW = Date.parse('2026-11-21T05:30:00Z');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
});

const tank = () => buildSensor(1, { name: 'Wool shed' });
const levels: SensorHistoryReply = {
  unit: '%',
  history: [
    { time: '2026-11-20T04:00:00.000Z', value: 60 },
    { time: '2026-11-21T04:00:00.000Z', value: 41.256 },
    { time: '2026-11-21T05:00:00.000Z', value: null },
  ],
};
const litres: SensorHistoryReply = {
  unit: 'L',
  history: [
    { time: '2026-11-20T10:40:00.000Z', value: 450 },
    { time: '2026-11-20T10:50:00.000Z', value: 150 },
    { time: '2026-11-20T11:10:00.000Z', value: 0 },
    { time: '2026-11-20T12:30:00.000Z', value: 1200 },
  ],
};

const region = async () => within(await screen.findByRole('region', { name: 'What it measured' }));

async function open(answer: SensorHistoryReply | Failure, sensor = tank(), search = '') {
  const api = deviceApi({ sensors: [sensor] }).on('GET /sensor-history/:id', answer);
  const app = renderApp(`/sensor-device/${farmUID}/${sensor._id}${search}`, { api });
  const panel = await region();
  const asked = () => api.calls('GET /sensor-history/:id').map(({ query }) => query);
  const table = async () => {
    await app.user.click(await panel.findByRole('button', { name: 'Show as table' }));
    return (await panel.findAllByRole('row')).map((row) =>
      [...row.children].map(({ textContent }) => textContent),
    );
  };
  return { ...app, panel, asked, table };
}

describe('what a sensor measured', () => {
  test('in the last week is drawn, and told in words and in a table', async () => {
    const { panel, asked, table } = await open(levels);
    expect(await panel.findByRole('figure', { name: 'Level of Wool shed' })).toBeTruthy();
    expect(panel.getByText('Between 41.3 % and 60.0 %, at last 41.3 %.')).toBeTruthy();
    expect(await table()).toEqual([
      ['Time', 'Level'],
      ['20 Nov 17:00', '60.0 %'],
      ['21 Nov 17:00', '41.3 %'],
      ['21 Nov 18:00', '–'],
    ]);
    expect(asked()).toEqual([
      { id: tank()._id, startDate: '15-11-2026', endDate: '21-11-2026', dataType: 'value' },
    ]);
  });

  test('in the last day is that of the last 24 hours', async () => {
    const { asked, table } = await open(levels, tank(), '?period=Day');
    expect((await table()).slice(1).map(([time]) => time)).toEqual(['21 Nov 17:00', '21 Nov 18:00']);
    expect(asked()).toMatchObject([{ startDate: '20-11-2026', endDate: '21-11-2026' }]);
  });

  test('is asked for by days of one’s own', async () => {
    const { panel, asked } = await open(levels, tank(), '?period=Custom&from=2026-10-01&to=2026-11-20');
    expect(await panel.findByRole('button', { name: '01/10/2026 to 20/11/2026' })).toBeTruthy();
    await waitFor(() => expect(asked()).toMatchObject([{ startDate: '01-10-2026', endDate: '20-11-2026' }]));
  });

  test('stands in the address, measure and days', async () => {
    const { panel, user, router, asked } = await open(levels);
    await panel.findByRole('figure');
    await user.click(panel.getByRole('radio', { name: 'Battery' }));
    expect(await panel.findByRole('figure', { name: 'Battery of Wool shed' })).toBeTruthy();
    await user.click(panel.getByRole('radio', { name: 'Month' }));
    await waitFor(() =>
      expect(asked().at(-1)).toMatchObject({ dataType: 'battery', startDate: '23-10-2026' }),
    );
    expect(router.state.location.search).toMatchObject({ measure: 'battery', period: 'Month' });
  });

  test('is its own value where the address names what it does not measure', async () => {
    const { panel } = await open(levels, tank(), '?measure=flow');
    expect(await panel.findByRole('figure', { name: 'Level of Wool shed' })).toBeTruthy();
  });
});

describe('over longer times', () => {
  test.each([
    ['Month', 'Hourly means between 41.3 % and 60.0 %, at last 41.3 %.'],
    ['Year', 'Daily means between 41.3 % and 60.0 %, at last 41.3 %.'],
  ])('of a %s the lowest and highest are said to be of means', async (period, text) => {
    const { panel } = await open(levels, tank(), `?period=${period}`);
    expect(await panel.findByText(text)).toBeTruthy();
  });
});

describe('what went through or out of it', () => {
  test('is summed by the farm’s day', async () => {
    const { panel, table } = await open(litres, tank(), '?measure=usage');
    expect(await panel.findByText('1,800 L in all, at most 1,200 L in one day.')).toBeTruthy();
    expect(await table()).toEqual([
      ['Day', 'Usage'],
      ['20 Nov 2026', '600 L'],
      ['21 Nov 2026', '1,200 L'],
    ]);
  });

  test('of one day is summed by the hour', async () => {
    const { panel, table } = await open(litres, tank(), '?measure=usage&period=Day');
    expect(await panel.findByText('1,800 L in all, at most 1,200 L in one hour.')).toBeTruthy();
    expect((await table()).slice(1)).toEqual([
      ['20 Nov 23:00', '600 L'],
      ['21 Nov 00:00', '0 L'],
      ['21 Nov 01:00', '1,200 L'],
    ]);
  });
});

test('a switch was on or off', async () => {
  const history = [1, 1, 0].map((value, hour) => ({ time: `2026-11-21T0${hour}:00:00.000Z`, value }));
  const sensor = buildSensor(1, { type: sensorTypes.SWITCH });
  const api = deviceApi({ sensors: [sensor] })
    .on('GET /sensor-history/:id', { unit: '', history })
    .on('GET /sensor/monitor', heard(sensor._id, NOW));
  const { user } = renderApp(`/sensor-device/${farmUID}/${sensor._id}`, { api });
  const panel = await region();
  expect(await panel.findByText('On in 2 of 3 values, at last Off.')).toBeTruthy();
  await user.click(panel.getByRole('button', { name: 'Show as table' }));
  const labels = (await panel.findAllByRole('row')).map((row) => row.lastChild?.textContent);
  expect(labels).toEqual(['State', 'On', 'On', 'Off']);
});

test.each([
  ['tank unit', { type: sensorTypes.TLM_V3 }, ['Level', 'Usage', 'Battery']],
  [
    'tank unit with a flow meter',
    { type: sensorTypes.TLM_V3, settings: { enabledFlow: true } },
    ['Level', 'Usage', 'Flow', 'Battery'],
  ],
  ['level sensor', { type: sensorTypes.LEVEL }, ['Level', 'Usage', 'Battery']],
  ['soil site', { type: sensorTypes.SOIL_MOISTURE }, ['Tension', 'Temperature', 'Battery']],
  ['flow meter', { type: sensorTypes.FLOW }, ['Flow', 'Usage', 'Battery']],
  ['meter of pulses', { type: sensorTypes.FLOW_PULSE }, ['Flow', 'Usage', 'Battery']],
  ['meter in L/min', { type: sensorTypes.FLOW_ANALOG }, ['Flow', 'Usage', 'Battery']],
])('a %s offers what it measures', async (_name, over, measures) => {
  const sensor = buildSensor(1, over);
  renderApp(`/sensor-device/${farmUID}/${sensor._id}`, { api: deviceApi({ sensors: [sensor] }) });
  const group = within(await (await region()).findByRole('radiogroup', { name: 'Measure' }));
  expect(group.getAllByRole('radio').map((radio) => radio.parentElement?.textContent)).toEqual(measures);
});

const heard = (sensorUid: string, at: number | null): SensorMonitor => ({
  sensorUid,
  name: 'Wool shed',
  type: sensorTypes.TLM_V3,
  statusTime: at === null ? null : new Date(at).toISOString(),
  status: at === null ? 1 : 2,
  invalid: false,
  value: at === null ? null : 41,
  rawValue: null,
  battery: null,
  unit: '%',
  since: null,
});

describe('a sensor that has never reported', () => {
  const silent = buildSensor(1, { statusTime: 0, status: 1 });
  const label = 'This sensor has never reported. What it measures shows here from its first message on.';

  test('says so, and asks for no history', async () => {
    const api = deviceApi({ sensors: [silent] }).on('GET /sensor/monitor', heard(silent._id, null));
    renderApp(`/sensor-device/${farmUID}/${silent._id}`, { api });
    const panel = await region();
    expect(panel.getByText(label)).toBeTruthy();
    await waitFor(() => expect(api.calls('GET /sensor/monitor')).toHaveLength(1));
    expect(panel.queryByRole('radiogroup')).toBeNull();
    expect(api.calls('GET /sensor-history/:id')).toHaveLength(0);
  });

  test('shows what it measures once it has', async () => {
    const api = deviceApi({ sensors: [silent] }).on('GET /sensor/monitor', heard(silent._id, NOW));
    api.on('GET /sensor-history/:id', levels);
    renderApp(`/sensor-device/${farmUID}/${silent._id}`, { api });
    expect(await (await region()).findByRole('figure', { name: 'Level of Tank 1' })).toBeTruthy();
  });
});

test.each([
  ['nothing', []],
  ['nothing that can be true', [{ time: '2026-11-21T05:00:00.000Z', value: null }]],
])('days with %s say so', async (_name, history) => {
  const { panel } = await open({ unit: '%', history });
  expect(await panel.findByText('No data')).toBeTruthy();
  expect(panel.queryByRole('figure')).toBeNull();
});

test('a failure has its words, and can be tried again', async () => {
  const { panel, user, api } = await open(new Failure(403, 'Not for you.'));
  expect(await panel.findByText('Failed to fetch sensor history. (403)')).toBeTruthy();
  expect(panel.getByText('Not for you.')).toBeTruthy();
  api.on('GET /sensor-history/:id', levels);
  await user.click(panel.getByRole('button', { name: 'Retry' }));
  expect(await panel.findByRole('figure')).toBeTruthy();
});
