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
  ).toEqual(['Download site.json', 'Download devices.csv', 'Download farm.kml', 'Download farm.geojson']);
});
