import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { FakeApi, FakeFile } from '../../testing/fake-api.ts';
import { rakaia } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { buildTank } from '../../testing/tank-fixtures.ts';
import { fakeSaving } from '../../testing/fake-saving.ts';

test('levels and usage of the last month are a PDF that is named after its days', async () => {
  const saved = fakeSaving();
  const api = new FakeApi().on('GET /lvl/suminfo', { tanks: [buildTank(1)] });
  const { user } = renderApp('/dashboard', { api });
  await user.click(await screen.findByRole('button', { name: 'PDF of tanks and usage' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Tanks and usage' }));
  const way = await dialog.findByRole('button', {
    name: /^Download tanks-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.pdf$/,
  });
  const name = way.getAttribute('aria-label')?.replace('Download ', '') ?? '';
  api.on('GET /reportspdf/tanks', new FakeFile(name, '%PDF'));
  await user.click(way);
  await expect.poll(() => saved.map((file) => file.name)).toEqual([name]);
  const { start, stop } = api.calls('GET /reportspdf/tanks')[0]?.query ?? {};
  expect(name).toBe(`tanks-${start}-${stop}.pdf`);
  expect(api.calls('GET /reportspdf/tanks')[0]?.query).toMatchObject({ farmUID: rakaia._id });
  vi.restoreAllMocks();
});
