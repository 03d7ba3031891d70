import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Failure, FakeApi, FakeFile } from '../../testing/fake-api.ts';
import { mallee, rakaia } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';

afterEach(() => vi.restoreAllMocks());

async function opened(farm: string, api: FakeApi) {
  const app = renderApp('/', { api });
  await app.user.click(await screen.findByRole('button', { name: `Menu of ${farm}` }));
  await app.user.click(await screen.findByRole('menuitem', { name: 'Export' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Export Configurations' }));
  return { ...app, dialog };
}

test('each file is saved under its name', async () => {
  const names: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  const api = new FakeApi().on('GET /export/site-json', new FakeFile('site.json', '{}'));
  const { user, dialog } = await opened(rakaia.name, api);
  await user.click(dialog.getByRole('button', { name: 'Download site.json' }));
  await waitFor(() => expect(names).toEqual(['site.json']));
  expect(api.calls('GET /export/site-json').map(({ query }) => query)).toEqual([{ farmUID: rakaia._id }]);
});

test('says by its file what was not created, and why', async () => {
  const api = new FakeApi().on('GET /export/schedules', new Failure(503, 'The database is away.'));
  const { user, dialog } = await opened(rakaia.name, api);
  await user.click(dialog.getByRole('button', { name: 'Download site.zip' }));
  expect((await dialog.findByRole('alert')).textContent).toBe(
    'ERROR: File site.zip was not created. The database is away.',
  );
});

test('has no files of sprinklers on a farm of tanks', async () => {
  const { dialog } = await opened(mallee.name, new FakeApi());
  expect(
    dialog.getAllByRole('button', { name: /Download/ }).map((one) => one.getAttribute('aria-label')),
  ).toEqual([
    'Download site.json',
    'Download devices.csv',
    'Download farm.kml',
    'Download farm.geojson',
    'Download readings.csv',
  ]);
});

test('asks for readings by the days and rows that were chosen', async () => {
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  const api = new FakeApi().on('GET /export/readings.csv', new FakeFile('readings.csv', 'time'));
  const { user, dialog } = await opened(rakaia.name, api);
  await user.click(await dialog.findByRole('radio', { name: 'Hours' }));
  await user.clear(dialog.getByLabelText('From'));
  await user.type(dialog.getByLabelText('From'), '1/7/2026');
  await user.clear(dialog.getByLabelText('To'));
  await user.type(dialog.getByLabelText('To'), '31/7/2026');
  await user.click(dialog.getByRole('button', { name: 'Download readings.csv' }));
  await waitFor(() =>
    expect(api.calls('GET /export/readings.csv').map(({ query }) => query)).toEqual([
      { farmUID: rakaia._id, each: 'hour', startDate: '01-07-2026', endDate: '31-07-2026' },
    ]),
  );
});

test('says how many days of readings there can be, and asks for no more', async () => {
  const { user, dialog } = await opened(rakaia.name, new FakeApi());
  await user.click(await dialog.findByRole('radio', { name: 'Each reading' }));
  await user.clear(dialog.getByLabelText('From'));
  await user.type(dialog.getByLabelText('From'), '01/01/2020');
  expect(dialog.getByText(/^These are \d+ days\. The most is 366\.$/)).toBeDefined();
  expect(dialog.getByRole('button', { name: 'Download readings.csv' })).toHaveProperty('disabled', true);
  await user.clear(dialog.getByLabelText('From'));
  expect(dialog.getByText('Enter both days as DD/MM/YYYY.')).toBeDefined();
});
