import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Gateway } from '@headrace/contract/gateways';
import { stubCanvas } from '../../map/fake-canvas.ts';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { HOUR, uid } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
// Much code for a test to wait for.
import '../tanks/tank-map-page.tsx';
import './gateway-dialog.tsx';
import { buildGateway } from './gateway-fixtures.ts';

beforeEach(() => stubCanvas());
afterEach(() => vi.restoreAllMocks());

const ago = (hours: number) => new Date(Date.now() - hours * HOUR - 60_000).toISOString();

async function open(over: Partial<Gateway>) {
  const gateway = buildGateway({ settings: { statusPeriod: 900 }, ...over });
  renderApp(`/tanks?gateway=${gateway._id}`, { api: new FakeApi().on('GET /gateway', gateway) });
  const dialog = within(await screen.findByRole('dialog', { name: /Shed gateway/ }));
  await dialog.findByText('GW1');
  return dialog;
}
const contact = (dialog: Awaited<ReturnType<typeof open>>) =>
  dialog.getByText('Last Contact').parentElement?.textContent;

test('a gateway in contact has its two columns and when it was heard, and no warning', async () => {
  const dialog = await open({ statusTime: ago(3) });
  expect(dialog.getByRole('heading', { name: /In contact.*Shed gateway/ })).toBeTruthy();
  expect(dialog.getByRole('heading', { name: 'Details' })).toBeTruthy();
  const settings = dialog.getByRole('heading', { name: 'Settings' }).parentElement;
  expect(settings?.textContent).toContain('Status period15 minutes');
  expect(contact(dialog)).toMatch(/^Last Contact .*3 h ago$/);
  expect(dialog.queryByText(/^(This unit|Unit)/)).toBeNull();
});

test.each([
  [ago(3 * 24), 'Out of contact', 'This unit is out of contact for more than 3 days!', /3 days ago$/],
  [ago(365 * 24), 'Out of contact', 'Unit never been reached.', /365 days ago$/],
  [null, 'Never contacted', "Unit couldn't be reached.", /^Last Contact Never $/],
])('a gateway heard at %s is warned of', async (statusTime, label, banner, last) => {
  const dialog = await open({ statusTime });
  expect(dialog.getByRole('heading', { name: new RegExp(`${label}.*Shed gateway`) })).toBeTruthy();
  expect(dialog.getByText(banner)).toBeTruthy();
  expect(contact(dialog)).toMatch(last);
});

test('a gateway that there is no more says so, and where one is set up', async () => {
  const api = new FakeApi().on('GET /gateway', new Failure(404, 'It is not there.'));
  renderApp(`/tanks?gateway=${uid(7)}`, { api });
  const dialog = await screen.findByRole('dialog', { name: 'Gateway' });
  expect(
    await within(dialog).findByText(
      'This gateway has no information available, please use manage gateway devices to set it up.',
    ),
  ).toBeTruthy();
});
