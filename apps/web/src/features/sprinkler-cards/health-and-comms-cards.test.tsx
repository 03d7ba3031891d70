import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { SprinklerComms, SprinklerHealth } from '@headrace/contract/health';
import { presets } from '@headrace/contract/permissions';
import { Failure, FakeApi, FakeFile } from '../../testing/fake-api.ts';
import { fakeSaving } from '../../testing/fake-saving.ts';
import { noComms, noHealth, noSprinklers, permissionsOn, rakaia, uid } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { dayText } from '../../ui/format.ts';
import { ago } from '../../testing/tank-fixtures.ts';
import { fakePaper } from '../reports/report-fixtures.ts';

const DAY = 86_400_000;
const farm = () => new FakeApi().on('GET /ipc/status', { ...noSprinklers, ok: 3, total: 4 });
const withHealth = (health: Partial<SprinklerHealth>) =>
  farm().on('GET /fmhealth/health', { ...noHealth, total: 4, inContact: 3, curClock: 66.6, ...health });
const unit = (nth: number, name: string, days: number | null) => ({
  id: uid(nth),
  name,
  serialNumber: `SN-${nth}`,
  statusTime: days === null ? null : ago(days * DAY),
});
const withComms = (comms: Partial<SprinklerComms>) =>
  farm().on('GET /fmhealth/comms', { ...noComms, total: 4, regular: 4, ...comms });

const basis = 'Free of each error, in % of the 3 in contact of 4.';
test.each([
  [{ days: 0 }, `${basis} Minimum and maximum are known from tomorrow on.`],
  [{ days: 12, since: '2026-11-09' }, `${basis} Minimum and maximum since ${dayText('2026-11-09')}.`],
  [{ days: 30, since: '2026-10-23' }, `${basis} Minimum and maximum of the last 30 days.`],
])('health says of how many sprinklers and of which days it is: %j', async (health, text) => {
  renderApp('/dashboard', { api: withHealth(health) });
  expect(await screen.findByText(text)).toBeTruthy();
});

test('health is saved as a picture of each type, named after the day on the farm', async () => {
  const names: string[] = [];
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    names.push(this.download);
  });
  const { user } = renderApp('/dashboard', { api: withHealth({ days: 30, since: '2026-10-23' }) });
  await screen.findByText(`${basis} Minimum and maximum of the last 30 days.`);
  const card = within(screen.getByRole('region', { name: 'Sprinkler Health' }));
  for (const type of ['PNG', 'JPG', 'SVG']) {
    await user.click(card.getByRole('button', { name: 'Export' }));
    await user.click(await card.findByRole('menuitem', { name: type }));
  }
  await expect.poll(() => names.length).toBe(3);
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Auckland' }).format();
  expect(names.toSorted()).toEqual(
    ['jpg', 'png', 'svg'].map((type) => `Sprinklers_Health_Report_${today}.${type}`),
  );
  click.mockRestore();
});

test('health is not told of a farm of which no sprinkler is in contact, and says why', async () => {
  renderApp('/dashboard', {
    api: withHealth({ inContact: 0, curClock: null }).on('GET /fmhealth/comms', { ...noComms, total: 4 }),
  });
  expect(
    await screen.findByText("All 4 sprinklers are out of contact: how they are isn't known."),
  ).toBeTruthy();
  const card = within(screen.getByRole('region', { name: 'Sprinkler Health' }));
  expect(card.getByText('No sprinkler data to display.')).toBeTruthy();
});

test('comms count the sprinklers by contact and list the silent ones, each leading to its dialog', async () => {
  const api = withComms({
    outOfContact: 2,
    occasional: 1,
    regular: 1,
    units: {
      outOfContact: [unit(1, 'A1', null), unit(2, 'A2', 40)],
      occasional: [unit(3, 'B1', 9)],
      outOfService: [],
    },
  });
  const { user } = renderApp('/dashboard', { api });
  const shares = await screen.findByRole('list', { name: 'Sprinklers by contact' });
  expect(
    within(shares)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(['1 Regular', '1 Occasional', '2 Out of contact', '4 Total']);
  await user.click(screen.getByText('not heard for more than 30 days, or never'));
  const rows = within(screen.getByRole('list', { name: 'Out of contact' })).getAllByRole('listitem');
  expect(rows.map((row) => row.textContent)).toEqual(['A1SN-1Never contacted', 'A2SN-240 days ago']);
  expect(
    within(rows[0] as HTMLElement)
      .getByRole('link', { name: 'A1' })
      .getAttribute('href'),
  ).toBe(`/group-status/FARM?farm=${rakaia._id}&ipc=${uid(1)}`);
  // Of nobody out of service nothing is said.
  expect(screen.queryByText('spares among them')).toBeNull();
});

test('comms list those heard seldom and those out of service too, each under its own name', async () => {
  const api = withComms({
    outOfContact: 1,
    occasional: 2,
    regular: 1,
    units: {
      outOfContact: [unit(1, 'A1', 40)],
      occasional: [unit(3, 'B1', 9), unit(4, 'B2', 12)],
      outOfService: [unit(5, 'C1', null)],
    },
  });
  renderApp('/dashboard', { api });
  await screen.findByRole('list', { name: 'Sprinklers by contact' });
  const rowsOf = (name: string) =>
    within(screen.getByRole('list', { name, hidden: true }))
      .getAllByRole('listitem', { hidden: true })
      .map((row) => row.textContent);
  expect(rowsOf('Out of contact')).toEqual(['A1SN-140 days ago']);
  expect(rowsOf('Occasional')).toEqual(['B1SN-39 days ago', 'B2SN-412 days ago']);
  expect(rowsOf('Out of service')).toEqual(['C1SN-5Never contacted']);
  expect(screen.getByText('spares among them')).toBeTruthy();
});

test('comms name units to those who may not see the map without ways that lead nowhere', async () => {
  const row = permissionsOn(rakaia, { ...presets.none, dashboard: true });
  const units = { outOfContact: [unit(1, 'A1', 40)], occasional: [], outOfService: [] };
  const api = withComms({ outOfContact: 1, regular: 3, units }).on('GET /permissions-list', {
    permissions: [row],
  });
  renderApp('/dashboard', { api });
  const list = await screen.findByRole('list', { name: 'Out of contact', hidden: true });
  expect(within(list).queryByRole('link', { hidden: true })).toBeNull();
  expect(list.textContent).toBe('A1SN-140 days ago');
});

test.each([
  ['GET /fmhealth/health', "The sprinklers' health couldn't be loaded", 'Sprinkler Health'],
  ['GET /fmhealth/comms', "How sprinklers are heard couldn't be loaded", 'Sprinkler Comms'],
] as const)('a failure of %s says so on its card, with Retry', async (key, text, name) => {
  renderApp('/dashboard', { api: farm().on(key, new Failure(500, 'Something went wrong.')) });
  expect(await screen.findByText(text)).toBeTruthy();
  const card = within(screen.getByRole('region', { name }));
  expect(card.getByRole('button', { name: 'Retry' })).toBeTruthy();
});

test('comms say what most of the silent sprinklers have in common', async () => {
  const cause = { kind: 'repeater', id: uid(5), name: 'R3', heardAt: ago(5 * DAY), units: 12 } as const;
  renderApp('/dashboard', { api: withComms({ silent: 14, cause }) });
  const line = await screen.findByText(/sprinklers that were not heard for more than a day/);
  expect(line.textContent).toContain(
    '12 of 14 sprinklers that were not heard for more than a day lie within 250 m of repeater R3, last heard 5 days ago. See to it first.',
  );
});

test('health offers the last 12 months as files, which the server makes', async () => {
  const busy = new Failure(429, 'Too many reports are being made.');
  const api = withHealth({ days: 30, since: '2026-10-23' })
    .on('GET /reportspdf/farmhisttrend', busy)
    .on('GET /reports/history-trend.csv', busy);
  const { user } = renderApp('/dashboard', { api });
  await user.click(await screen.findByRole('button', { name: 'PDF of sprinkler health' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Sprinkler Health' }));
  const name = `history-trend-${rakaia.name.replaceAll(' ', '-')}`;
  await user.click(dialog.getByRole('button', { name: `Download ${name}.pdf` }));
  await user.click(dialog.getByRole('button', { name: `Download ${name}.csv` }));
  const fault = /^ERROR: File history-trend-.* was not created\. Too many/;
  await waitFor(() => expect(dialog.getAllByText(fault)).toHaveLength(2));
  expect(api.calls('GET /reportspdf/farmhisttrend').map(({ query }) => query)).toEqual([
    { farmUID: rakaia._id },
  ]);
});

test('a report shows how its table begins before anybody takes it along', async () => {
  const silent = Array.from({ length: 9 }, (_none, n) => unit(n + 1, `A${n + 1}`, 40));
  const units = { outOfContact: silent, occasional: [], outOfService: [] };
  const api = withComms({ outOfContact: 9, regular: 3, total: 12, units });
  const { user } = renderApp('/dashboard', { api });
  await user.click(await screen.findByRole('button', { name: 'PDF of sprinkler communications' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Sprinkler Comms' }));
  await user.click(dialog.getByRole('button', { name: 'Preview ipccomms.csv' }));
  const table = await within(
    await dialog.findByRole('region', { name: 'Preview of ipccomms.csv' }),
  ).findByRole('table', { name: 'The first 8 rows' });
  const rows = within(table).getAllByRole('row');
  expect(rows).toHaveLength(9);
  expect(rows[1]?.textContent).toContain('SN-1');
  expect(rows[8]?.textContent).toContain('SN-8');
});

test.each([
  ['PDF of sprinkler health', 'Sprinkler Health', 'ipchealth', 'health'],
  ['PDF of sprinkler communications', 'Sprinkler Comms', 'ipccomms', 'comms'],
])('%s is saved under its name, of this farm', async (way, title, name, kind) => {
  const saved = fakeSaving();
  const api = withHealth({ days: 30, since: '2026-10-23' })
    .on('GET /fmhealth/comms', { ...noComms, total: 4, regular: 4 })
    .on('GET /fmhealth/historybytype', ({ query }) => ({
      farmUID: rakaia._id,
      description: '',
      start: query.start ?? '',
      stop: query.stop ?? '',
      type: query.hstType,
      data: [],
    }));
  const { user } = renderApp('/dashboard', { api });
  await user.click(await screen.findByRole('button', { name: way }));
  const dialog = within(await screen.findByRole('dialog', { name: title }));
  const orders = fakePaper();
  await user.click(dialog.getByRole('button', { name: `Download ${name}.pdf` }));
  await expect
    .poll(() => saved.map((file) => [file.name, file.blob?.type]))
    .toEqual([[`${name}.pdf`, 'application/pdf']]);
  expect(orders).toMatchObject([{ kind, made: { farm: rakaia.name } }]);
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('the last 12 months are saved under the name that the server gives them', async () => {
  const saved = fakeSaving();
  const name = `history-trend-${rakaia.name.replaceAll(' ', '-')}.pdf`;
  const api = withHealth({ days: 30, since: '2026-10-23' }).on(
    'GET /reportspdf/farmhisttrend',
    new FakeFile(name, '%PDF'),
  );
  const { user } = renderApp('/dashboard', { api });
  await user.click(await screen.findByRole('button', { name: 'PDF of sprinkler health' }));
  await user.click(await screen.findByRole('button', { name: `Download ${name}` }));
  await expect.poll(() => saved.map((file) => file.name)).toEqual([name]);
  vi.restoreAllMocks();
});
