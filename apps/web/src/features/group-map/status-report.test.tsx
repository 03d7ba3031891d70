import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { presets } from '@headrace/contract/permissions';
import { stubCanvas } from '../../map/fake-canvas.ts';
import { FakeApi } from '../../testing/fake-api.ts';
import { fakeSaving } from '../../testing/fake-saving.ts';
import { permissionsOn, rakaia } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
// The map is much code: it is there before a test waits for it.
import '../../map/farm-map-view.tsx';
import { fakePaper } from '../reports/report-fixtures.ts';
import { buildGroup, buildUnit } from './group-fixtures.ts';
import './group-map-page.tsx';
import './map-toolbar.tsx';
import './status-report.tsx';

beforeEach(stubCanvas);
afterEach(() => vi.restoreAllMocks());

async function opened(address: string) {
  const units = [
    buildUnit(1),
    buildUnit(2, { hasBatteryError: true, hasError: true, condition: 2, charge: 48 }),
    buildUnit(10),
  ];
  const api = new FakeApi()
    .on('GET /group/units', buildGroup(units, { boundaries: [{ lat: -43.7, lng: 172 }] }))
    // Who may see the map may have its report.
    .on('GET /permissions-list', { permissions: [permissionsOn(rakaia, presets.guest)] });
  const app = renderApp(address, { api });
  await screen.findByRole('option', { name: 'All (3)' });
  fireEvent.click(await screen.findByRole('button', { name: 'PDF report' }));
  return { ...app, dialog: within(await screen.findByRole('dialog', { name: 'Sprinklers Status Report' })) };
}

test('what the map lists is saved as a table, in its order', async () => {
  const saved = fakeSaving();
  const { user, dialog } = await opened('/group-status/FARM?sort=name-desc');
  expect(
    dialog.getByText(
      `3 sprinklers of ${rakaia.name}, as the list has them. Filter: All. Sorted by Name Z-A.`,
    ),
  ).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Download ipc_status_report.csv' }));
  await expect.poll(() => saved.map(({ name }) => name)).toEqual(['ipc_status_report.csv']);
  const rows = (await saved[0]?.blob?.text())
    ?.trim()
    .split('\r\n')
    .map((row) => row.split(','));
  expect(rows?.map(([status, name, , , notes]) => [status, name, notes])).toEqual([
    ['status', 'name', 'notes'],
    ['OK', 'A10', 'Battery Level'],
    ['Attention', 'A2', 'Battery Low (48%)'],
    ['OK', 'A1', 'Battery Level'],
  ]);
});

test('the report on paper is of what is filtered, by whom, and is saved under its name', async () => {
  const saved = fakeSaving();
  const { user, dialog } = await opened('/group-status/FARM?show=battery');
  const orders = fakePaper();
  await user.click(dialog.getByRole('button', { name: 'Download ipc_status_report.pdf' }));
  await expect
    .poll(() => saved.map(({ name, blob }) => [name, blob?.type]))
    .toEqual([['ipc_status_report.pdf', 'application/pdf']]);
  expect(orders).toHaveLength(1);
  expect(orders[0]).toMatchObject({
    kind: 'status',
    made: { farm: rakaia.name, zone: { timeZoneId: 'Pacific/Auckland' } },
    data: {
      of: rakaia.name,
      filter: 'Low Battery',
      sort: 'Name A-Z',
      units: [{ name: 'A2' }],
      boundary: [{ lat: -43.7 }],
    },
  });
  const { by } = orders[0]?.made ?? {};
  expect(by).toBeTruthy();
});

test.each([
  ['no font' as const, /The report's font couldn't be loaded. Please check the connection and try again./],
  [{ failed: 'Error: out of memory' }, /The report couldn't be made: Error: out of memory/],
])('says by the file that it was not made, and why, and tries again: %j', async (answer, why) => {
  const saved = fakeSaving();
  const { user, dialog } = await opened('/group-status/FARM');
  fakePaper(answer);
  await user.click(dialog.getByRole('button', { name: 'Download ipc_status_report.pdf' }));
  const alert = await dialog.findByRole('alert');
  expect(alert.textContent).toContain('ERROR: File ipc_status_report.pdf was not created.');
  expect(alert.textContent).toMatch(why);
  expect(saved).toEqual([]);
  vi.unstubAllGlobals();
});

test('whoever leaves meanwhile sees on coming back that it is being made, and is told anywhere that it was not', async () => {
  const address = '/group-status/FARM';
  const { user, dialog, router } = await opened(address);
  let answer: (failed: { failed: string }) => void = () => undefined;
  const orders = fakePaper(
    new Promise((resolve) => {
      answer = resolve;
    }),
  );
  await user.click(dialog.getByRole('button', { name: 'Download ipc_status_report.pdf' }));
  await expect.poll(() => orders.length).toBe(1);
  const leave = async () => {
    await act(() => router.navigate({ to: '/' }));
    await screen.findByRole('heading', { name: 'Farms', level: 1 });
  };
  await leave();
  await act(() => router.navigate({ href: address }));
  fireEvent.click(await screen.findByRole('button', { name: 'PDF report' }));
  const again = within(await screen.findByRole('dialog', { name: 'Sprinklers Status Report' }));
  const way = again.getByRole('button', { name: 'Creating… ipc_status_report.pdf' });
  expect(way).toHaveProperty('disabled', true);
  await leave();
  answer({ failed: 'Error: out of memory' });
  expect(
    await screen.findByText(
      "ERROR: File ipc_status_report.pdf was not created. The report couldn't be made: Error: out of memory",
    ),
  ).toBeTruthy();
  vi.unstubAllGlobals();
});
