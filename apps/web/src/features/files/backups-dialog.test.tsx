import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Backup, RestorePlan } from '@headrace/contract/backups';
import { levels, presets } from '@headrace/contract/permissions';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { permissionsOn, rakaia } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';

const uid = (digit: string) => digit.repeat(24);

const counts = {
  sprinklers: 300,
  gateways: 1,
  repeaters: 0,
  sensors: 0,
  pois: 0,
  groups: 12,
  schedules: 0,
  templates: 0,
};
const lambing: Backup = {
  _id: uid('1'),
  desc: 'Before lambing',
  createdAt: '2026-11-19T21:00:00Z',
  by: 'Aroha Ngata',
  automatic: false,
  bytes: 61_440,
  counts,
  changedSince: 1412,
  provedAt: '2026-11-19T21:00:01Z',
  fault: '',
  tries: 0,
  triedAt: null,
};
const nightly: Backup = {
  ...lambing,
  _id: uid('2'),
  desc: 'Nightly',
  automatic: true,
  by: '',
  changedSince: 0,
  provedAt: null,
};
const plan: RestorePlan = {
  revision: '41',
  desc: 'Before lambing',
  createdAt: lambing.createdAt,
  counts: { 'come back': 1, 'change back': 1, 'take off': 0, stay: 1 },
  rows: [
    { kind: 'sprinkler', uid: uid('3'), name: 'A14', action: 'come back', fields: [], why: '' },
    {
      kind: 'poi',
      uid: uid('4'),
      name: 'Gate',
      action: 'change back',
      fields: [{ field: 'name', from: 'Gate 2', to: 'Gate' }],
      why: '',
    },
    {
      kind: 'schedule set',
      uid: uid('5'),
      name: 'Summer',
      action: 'stay',
      fields: [],
      why: 'The farm waters by it.',
    },
  ],
};

async function opened(api = new FakeApi().on('GET /backup/list', [lambing, nightly])) {
  const app = renderApp('/', { api });
  await app.user.click(await screen.findByRole('button', { name: `Menu of ${rakaia.name}` }));
  await app.user.click(await screen.findByRole('menuitem', { name: 'Backup & Restore' }));
  const name = 'Restore configuration of the farm';
  return { ...app, api, dialog: within(await screen.findByRole('dialog', { name })) };
}

test('says of each backup who made it, what is in it and whether it was restored on trial', async () => {
  const { dialog } = await opened();
  const [first, second] = await dialog.findAllByRole('listitem');
  expect(first?.textContent).toContain('Before lambing');
  expect(first?.textContent).toContain('by Aroha Ngata');
  expect(first?.textContent).toContain(
    '300 sprinklers, 1 gateway, 12 groups · 60 KB · 1,412 records changed since',
  );
  expect(first?.textContent).toContain('✓ Restored on trial');
  expect(second?.textContent).toContain('Nothing changed since');
  expect(second?.textContent).toContain('by itself');
  expect(second?.textContent).toContain('Not restored on trial yet');
});

test('shows no tick where a trial failed, but why', async () => {
  const fault = 'A trial restore gave another farm: groups differ.';
  const { dialog } = await opened(
    new FakeApi().on('GET /backup/list', [{ ...lambing, provedAt: null, fault }]),
  );
  const [only] = await dialog.findAllByRole('listitem');
  expect(only?.textContent).toContain(fault);
  expect(only?.textContent).not.toContain('✓');
});

test('needs a chosen backup, and says so in the published words', async () => {
  const { user, dialog } = await opened();
  await dialog.findAllByRole('listitem');
  await user.click(dialog.getByRole('button', { name: 'Restore…' }));
  expect((await dialog.findByRole('alert')).textContent).toBe('Sorry, cant find the backup with UID !');
});

test('makes one with its description', async () => {
  const api = new FakeApi().on('GET /backup/list', []).on('POST /backup', lambing);
  const { user, dialog } = await opened(api);
  await user.type(await dialog.findByLabelText('Description'), 'Before lambing');
  await user.click(dialog.getByRole('button', { name: 'Create backup' }));
  await waitFor(() =>
    expect(api.calls('POST /backup').map(({ body }) => body)).toEqual([
      { farmUID: rakaia._id, desc: 'Before lambing' },
    ]),
  );
});

test('says in the published words that it could not make one, and why', async () => {
  const api = new FakeApi()
    .on('GET /backup/list', [])
    .on('POST /backup', new Failure(409, 'The farm has 15 backups that people made.'));
  const { user, dialog } = await opened(api);
  await user.click(await dialog.findByRole('button', { name: 'Create backup' }));
  expect((await dialog.findByRole('alert')).textContent).toBe(
    'Sorry, cant create a back up of the farm config! The farm has 15 backups that people made.',
  );
});

test('shows what a restore would do before it does it', async () => {
  const api = new FakeApi()
    .on('GET /backup/list', [lambing])
    .on('POST /backup/plan', plan)
    .on('GET /irrigation/devices/has-changes', { sync: false })
    .on('PUT /backup/restore', { success: true, restored: 2, stayed: 1, batchId: uid('6') });
  const { user, dialog } = await opened(api);
  await user.click(await dialog.findByRole('radio'));
  await user.click(dialog.getByRole('button', { name: 'Restore…' }));
  expect(await dialog.findByText('1 comes back, 1 is changed back, 1 stays as it is.')).toBeTruthy();
  expect(dialog.getByText('The farm waters by it.')).toBeTruthy();
  expect(api.calls('PUT /backup/restore')).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'Restore 2' }));
  expect(await dialog.findByText('2 restored. 1 left as they are.')).toBeTruthy();
  expect(api.calls('PUT /backup/restore').map(({ body }) => body)).toEqual([
    { farmUID: rakaia._id, bakUID: uid('1'), revision: '41' },
  ]);
});

test('shows the new plan when the farm was changed meanwhile', async () => {
  const later = { ...plan, revision: '42', counts: { ...plan.counts, 'take off': 1 } };
  const api = new FakeApi()
    .on('GET /backup/list', [lambing])
    .on('POST /backup/plan', plan)
    .on(
      'PUT /backup/restore',
      new Failure(409, 'The farm was changed since you looked.', { field: 'revision', current: later }),
    );
  const { user, dialog } = await opened(api);
  await user.click(await dialog.findByRole('radio'));
  await user.click(dialog.getByRole('button', { name: 'Restore…' }));
  await user.click(await dialog.findByRole('button', { name: 'Restore 2' }));
  expect(await dialog.findByRole('button', { name: 'Restore 3' })).toBeTruthy();
  expect(dialog.getByRole('alert').textContent).toContain('The farm was changed since you looked.');
});

test('says in the published words that a restore failed, and why, also of the newer plan', async () => {
  const api = new FakeApi()
    .on('GET /backup/list', [lambing])
    .on('POST /backup/plan', plan)
    .on(
      'PUT /backup/restore',
      new Failure(409, 'The farm was changed since you looked.', { field: 'revision', current: plan }),
    );
  const { user, dialog } = await opened(api);
  await user.click(await dialog.findByRole('radio'));
  await user.click(dialog.getByRole('button', { name: 'Restore…' }));
  await user.click(await dialog.findByRole('button', { name: 'Restore 2' }));
  await dialog.findByText('The farm was changed since you looked.');
  api.on('PUT /backup/restore', new Failure(503, 'The database is away.'));
  await user.click(dialog.getByRole('button', { name: 'Restore 2' }));
  expect(
    await dialog.findByText(
      "Sorry, the Farm configuration couldn't be replaced to the backup name: Before lambing! The database is away.",
    ),
  ).toBeTruthy();
});

test('says in the published words that one could not be removed, and why', async () => {
  const api = new FakeApi()
    .on('GET /backup/list', [lambing])
    .on('DELETE /backup', new Failure(503, 'The database is away.'));
  const { user, dialog } = await opened(api);
  await user.click(await dialog.findByRole('radio'));
  await user.click(dialog.getByRole('button', { name: 'Delete…' }));
  await user.click(dialog.getByRole('button', { name: 'Delete for good' }));
  expect(
    await screen.findByText("Sorry, backup Before lambing couldn't be removed! The database is away."),
  ).toBeTruthy();
});

test('asks twice before one is deleted for good', async () => {
  const api = new FakeApi().on('GET /backup/list', [lambing]).on('DELETE /backup', { deleted: true });
  const { user, dialog } = await opened(api);
  await user.click(await dialog.findByRole('radio'));
  await user.click(dialog.getByRole('button', { name: 'Delete…' }));
  expect(api.calls('DELETE /backup')).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'Delete for good' }));
  await waitFor(() =>
    expect(api.calls('DELETE /backup').map(({ query }) => query)).toEqual([{ bakUID: uid('1') }]),
  );
});

test('who may only look sees the list, and why the buttons are gray', async () => {
  const rights = { ...presets.none, farms: levels.Read, dashboard: true };
  const { dialog } = await opened(
    new FakeApi()
      .on('GET /backup/list', [lambing])
      .on('GET /permissions-list', { permissions: [permissionsOn(rakaia, rights)] }),
  );
  expect(await dialog.findByText(/Only who may edit the farm/)).toBeTruthy();
  expect(dialog.getByRole('button', { name: 'Restore…' }).hasAttribute('disabled')).toBe(true);
  expect(dialog.queryByRole('button', { name: 'Create backup' })).toBeNull();
});

test('stops saying that none is chosen when one is', async () => {
  const api = new FakeApi().on('GET /backup/list', [nightly]);
  const { user } = renderApp('/', { api });
  await user.click(await screen.findByRole('button', { name: `Menu of ${rakaia.name}` }));
  await user.click(await screen.findByRole('menuitem', { name: 'Backup & Restore' }));
  await user.click(await screen.findByRole('button', { name: 'Restore…' }));
  expect(screen.getByText('Sorry, cant find the backup with UID !')).toBeDefined();
  await user.click(await screen.findByRole('radio', { name: /Nightly/ }));
  expect(screen.queryByText('Sorry, cant find the backup with UID !')).toBeNull();
});

test('says of a backup whose trial could not be done that nobody knows whether it can be relied on', async () => {
  const failing = { ...nightly, tries: 7, triedAt: '2026-11-20T20:00:00Z' };
  const api = new FakeApi().on('GET /backup/list', [failing]);
  const { user } = renderApp('/', { api });
  await user.click(await screen.findByRole('button', { name: `Menu of ${rakaia.name}` }));
  await user.click(await screen.findByRole('menuitem', { name: 'Backup & Restore' }));
  expect(
    await screen.findByText(/^The trial restore could not be done 7 times, so nobody knows whether/),
  ).toBeDefined();
});
