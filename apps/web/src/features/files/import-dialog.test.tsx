import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { commandTypes } from '@headrace/contract/command-types';
import type { ImportPlan } from '@headrace/contract/imports';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { rakaia, uid } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';

const row = (values: Partial<ImportPlan['rows'][number]>) => ({
  row: 0,
  line: 2,
  kind: 'sprinkler',
  name: 'A1',
  action: 'add' as const,
  fields: [],
  why: '',
  ...values,
});
const plan: ImportPlan = {
  revision: '41',
  notes: ['Columns that are left out: colour.'],
  newGroups: ['West'],
  counts: { add: 1, change: 1, choose: 1, same: 12, 'left out': 1 },
  rows: [
    row({ name: 'A1', action: 'change', fields: [{ field: 'channel', from: '1', to: '16' }] }),
    row({ row: 1, line: 3, name: 'A2' }),
    row({ row: 2, line: 4, name: 'A3', action: 'choose', why: 'This place is 60 km from the farm.' }),
    row({ row: 3, line: 5, name: 'Trough4', action: 'left out', why: 'Name can have at most 5 characters.' }),
  ],
};
const BATCH = 'b'.repeat(24);
const csv = (text: string | Uint8Array<ArrayBuffer>, name = 'pods.csv') => new File([text], name);

async function opened(api: FakeApi) {
  api.on('GET /irrigation/devices/has-changes', { sync: false });
  const app = renderApp('/', { api });
  await app.user.click(await screen.findByRole('button', { name: `Menu of ${rakaia.name}` }));
  await app.user.click(await screen.findByRole('menuitem', { name: 'Import' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Import Configurations' }));
  const choose = async (type: string, file: File) => {
    await app.user.selectOptions(dialog.getByLabelText('Type'), type);
    await app.user.upload(dialog.getByLabelText<HTMLInputElement>('File'), file);
  };
  return { ...app, dialog, choose };
}

test('no file can be chosen before its type, and what it would do is shown before anything is done', async () => {
  const api = new FakeApi().on('POST /import/plan', plan).on('POST /import/apply', {
    result: true,
    msg: { res_message: '2 imported, 2 skipped#A2-not ticked#Trough4-Name can have at most 5 characters.' },
    batchId: BATCH,
  });
  const { user, dialog, choose } = await opened(api);
  expect(dialog.getByLabelText<HTMLInputElement>('File').disabled).toBe(true);
  await choose('podlist', csv('name;serial\nA1;IPC1'));
  expect(
    await dialog.findByText(
      '1 will be added, 1 will be changed, 12 are the same, 1 left out, 1 needs your choice.',
    ),
  ).toBeTruthy();
  expect(dialog.getByText('Groups that will be added: West.')).toBeTruthy();
  expect(dialog.getByText('Columns that are left out: colour.')).toBeTruthy();
  expect(dialog.getByText('Name can have at most 5 characters.')).toBeTruthy();
  await user.click(dialog.getByRole('checkbox', { name: 'Add A2' }));
  await user.click(dialog.getByRole('checkbox', { name: 'Your choice A3' }));
  await user.click(dialog.getByRole('button', { name: 'Import 2' }));
  const done = await dialog.findByText('2 imported, 2 skipped');
  // Who went by keys to Import goes on from here.
  expect(document.activeElement).toBe(done);
  expect(dialog.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'A2: not ticked',
    'Trough4: Name can have at most 5 characters.',
  ]);
  expect(api.calls('POST /import/apply').map(({ body }) => body)).toEqual([
    {
      farmUID: rakaia._id,
      typeFile: 'podlist',
      data: 'name;serial\nA1;IPC1',
      filename: 'pods.csv',
      options: { importAsSpares: false, farmId: '01:01', channel: 1 },
      revision: '41',
      skip: [1],
      take: [2],
    },
  ]);
  api.on('POST /undo', { undone: 2, kept: 0, batchId: BATCH });
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await dialog.findByText('Undone.')).toBeTruthy();
  expect(dialog.getByText('It can be done again for 30 days, in the history of changes.')).toBeTruthy();
  expect(dialog.queryByText(/imported/)).toBeNull();
});

test('after an import that gateways have to learn of, Update Gateway sends them the list', async () => {
  const api = new FakeApi()
    .on('POST /import/plan', plan)
    .on('POST /import/apply', { result: true, msg: { res_message: '2 imported' }, batchId: BATCH });
  const { user, dialog, choose } = await opened(api);
  api
    .on('GET /irrigation/devices/has-changes', { sync: true })
    .on('POST /commands/send', { commandId: uid(77), status: 'queued' });
  await choose('podlist', csv('name;serial\nA1;IPC1'));
  await user.click(await dialog.findByRole('button', { name: 'Import 2' }));
  await user.click(await dialog.findByRole('button', { name: 'Update Gateway' }));
  expect(await screen.findByText('Update command successfully sent!')).toBeTruthy();
  expect(api.calls('POST /commands/send').at(-1)?.body['type']).toBe(commandTypes.UpdateINCList);
});

test('who closes the choice of a file without one is told so', async () => {
  const { user, dialog } = await opened(new FakeApi());
  await user.selectOptions(dialog.getByLabelText('Type'), 'podlist');
  fireEvent(dialog.getByLabelText('File'), new Event('cancel'));
  expect((await dialog.findByRole('alert')).textContent).toBe('No file select');
});

test('Replace IPCs is asked of site.json alone', async () => {
  const api = new FakeApi().on('POST /import/plan', plan);
  const { user, dialog, choose } = await opened(api);
  await user.selectOptions(dialog.getByLabelText('Type'), 'project');
  await user.click(dialog.getByRole('switch', { name: /^Replace IPCs/ }));
  await choose('project', csv('{}', 'site.json'));
  await user.click(await dialog.findByRole('button', { name: /file/ }));
  await user.selectOptions(dialog.getByLabelText('Type'), 'project');
  await user.click(dialog.getByRole('switch', { name: /^Replace IPCs/ }));
  await choose('project', csv('[pod1]', 'pod-config.ini'));
  await waitFor(() => expect(api.calls('POST /import/plan')).toHaveLength(2));
  expect(
    api.calls('POST /import/plan').map(({ body }) => [body.typeFile, body.options?.replaceIpcs]),
  ).toEqual([
    ['ims', true],
    ['project', undefined],
  ]);
});

test('a file that would change nothing has no Import', async () => {
  const same = { add: 0, change: 0, choose: 0, same: 44, 'left out': 0 };
  const api = new FakeApi().on('POST /import/plan', {
    ...plan,
    notes: [],
    newGroups: [],
    counts: same,
    rows: [],
  });
  const { dialog, choose } = await opened(api);
  await choose('project', csv('[pod1]', 'pod-config.ini'));
  expect(await dialog.findByText('Nothing would change. 44 are the same.')).toBeTruthy();
  expect(dialog.queryByRole('button', { name: /^Import/ })).toBeNull();
});

test('what cannot be read is said with the file, and another can be chosen', async () => {
  const api = new FakeApi().on(
    'POST /import/plan',
    new Failure(400, 'The file is empty.', { field: 'data' }),
  );
  const { dialog, choose } = await opened(api);
  await choose('podlist', csv(''));
  expect((await dialog.findByRole('alert')).textContent).toBe(
    'File pods.csv was not uploaded. The file is empty.',
  );
  api.on('POST /import/plan', plan);
  // "Wāhi" as Excel saves it, with é of Windows-1252.
  await choose('podlist', csv(new Uint8Array([0x6e, 0x0a, 0xe9])));
  expect(
    await dialog.findByText('Read as Windows-1252: please check names with macrons and accents.'),
  ).toBeTruthy();
  expect(api.calls('POST /import/plan').at(-1)?.body).toMatchObject({ data: 'n\né' });
});

test('a farm that changed meanwhile is planned anew before anything is done', async () => {
  const api = new FakeApi().on('POST /import/plan', plan).on(
    'POST /import/apply',
    new Failure(409, 'The farm was changed since you looked.', {
      field: 'revision',
      current: {
        ...plan,
        revision: '42',
        counts: { ...plan.counts, same: 13, change: 0 },
        rows: plan.rows.slice(1),
      },
    }),
  );
  const { user, dialog, choose } = await opened(api);
  await choose('podlist', csv('name;serial\nA1;IPC1'));
  await user.click(await dialog.findByRole('checkbox', { name: 'Your choice A3' }));
  await user.click(dialog.getByRole('checkbox', { name: 'Add A2' }));
  await user.click(dialog.getByRole('button', { name: 'Import 2' }));
  expect((await dialog.findByRole('alert')).textContent).toBe('The farm was changed since you looked.');
  expect(dialog.getByText('1 will be added, 13 are the same, 1 left out, 1 needs your choice.')).toBeTruthy();
  // What was ticked and unticked is so still.
  await user.click(dialog.getByRole('button', { name: 'Import 1' }));
  expect(
    api.calls('POST /import/apply').map(({ body: { revision, skip, take } }) => [revision, skip, take]),
  ).toEqual([
    ['41', [1], [2]],
    ['42', [1], [2]],
  ]);
});

const asks: ImportPlan = {
  ...plan,
  notes: [],
  newGroups: [],
  counts: { add: 0, change: 0, choose: 5, same: 0, 'left out': 0 },
  rows: [
    row({
      action: 'choose',
      fields: [{ field: 'macAddress', from: '00A1', to: '00A2' }],
      why: 'A2 has this MAC address. Ticked, they swap: A2 gets 00A1.',
      others: [{ name: 'A2', fields: [{ field: 'macAddress', from: '00A2', to: '00A1' }] }],
    }),
    row({ row: 1, line: 3, name: 'B1', action: 'choose', together: 1, why: 'It goes together with line 4.' }),
    row({ row: 2, line: 4, name: 'B2', action: 'choose', together: 1, why: 'It goes together with line 3.' }),
    row({
      row: 3,
      line: 5,
      name: 'C1',
      action: 'choose',
      fields: [{ field: 'groups', from: 'Line 1', to: 'Line 2' }],
      stay: [],
    }),
    row({
      row: 4,
      line: 6,
      name: 'C2',
      action: 'choose',
      fields: [
        { field: 'channel', from: '1', to: '16' },
        { field: 'groups', from: 'Line 1', to: 'Line 2' },
      ],
      stay: [{ field: 'channel', from: '1', to: '16' }],
    }),
  ],
};

test('units that swap, and those that may move to another lateral group, are chosen one by one or together, by keys too', async () => {
  const api = new FakeApi()
    .on('POST /import/plan', asks)
    .on('POST /import/apply', { result: true, msg: { res_message: '4 imported' }, batchId: BATCH });
  const { user, dialog, choose } = await opened(api);
  await choose('podlist', csv('name;serial\nA1;IPC1'));
  const radios = (name: string) =>
    within(dialog.getByRole('radiogroup', { name: `Your choice ${name}` }))
      .getAllByRole<HTMLInputElement>('radio')
      .map((radio) => `${radio.labels?.[0]?.textContent}${radio.checked ? '*' : ''}`);
  await dialog.findByText(/^A2, MAC:/);
  expect(['A1', 'B1', 'C1', 'C2'].map(radios)).toEqual([
    ['Leave out*', 'Swap'],
    ['Leave out*', 'Swap'],
    ['Stay*', 'Move'],
    ['Leave out*', 'Move', 'Stay'],
  ]);
  expect(dialog.getByRole('button', { name: 'Nothing is ticked' })).toBeTruthy();
  const radio = (name: string, of: string) =>
    within(dialog.getByRole('radiogroup', { name: `Your choice ${name}` })).getByRole('radio', { name: of });
  radio('A1', 'Leave out').focus();
  await user.keyboard('{ArrowRight}');
  await user.click(radio('B2', 'Swap'));
  expect(['A1', 'B1', 'B2'].map(radios)).toEqual([
    ['Leave out', 'Swap*'],
    ['Leave out', 'Swap*'],
    ['Leave out', 'Swap*'],
  ]);
  await user.click(dialog.getByRole('button', { name: 'Let all 2 stay' }));
  expect(['C1', 'C2'].map(radios)).toEqual([
    ['Stay*', 'Move'],
    ['Leave out', 'Move', 'Stay*'],
  ]);
  const moves = () => dialog.queryAllByText(/Line 2/).length;
  // What stays in its group says so.
  expect(moves()).toBe(1);
  await user.click(dialog.getByRole('button', { name: 'Move all 2' }));
  await user.click(radio('C2', 'Stay'));
  await user.click(radio('B1', 'Leave out'));
  expect(radios('B2')).toEqual(['Leave out*', 'Swap']);
  await user.click(dialog.getByRole('button', { name: 'Import 3' }));
  await dialog.findByText('4 imported');
  expect(api.calls('POST /import/apply').map(({ body: { skip, take, stay } }) => [skip, take, stay])).toEqual(
    [[[], [0, 3], [4]]],
  );
});

test('the same file is looked at again, as after a command that was in the way, and what was chosen stays so', async () => {
  const api = new FakeApi().on('POST /import/plan', asks);
  const { user, dialog, choose } = await opened(api);
  await choose('podlist', csv('name;serial\nA1;IPC1'));
  await user.click(await dialog.findByRole('button', { name: 'Swap all 3' }));
  api.on('POST /import/plan', new Failure(503, 'The database is away.'));
  await user.click(dialog.getByRole('button', { name: 'Look again' }));
  expect((await dialog.findByRole('alert')).textContent).toBe(
    'This is as it was when you looked first. The database is away.',
  );
  api.on('POST /import/plan', { ...asks, revision: '43', rows: asks.rows.slice(0, 3) });
  await user.click(dialog.getByRole('button', { name: 'Look again' }));
  await waitFor(() => expect(dialog.queryByRole('radiogroup', { name: 'Your choice C1' })).toBeNull());
  expect(dialog.getByRole('button', { name: 'Import 3' })).toBeTruthy();
  expect(dialog.queryByRole('alert')).toBeNull();
});

test('rows that are left out can be saved, to mend the file by', async () => {
  const saved: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((content) => `blob:${saved.push(content as Blob)}`);
  const why = 'Name can have at most 5 characters.';
  const api = new FakeApi().on('POST /import/plan', {
    ...plan,
    counts: { ...plan.counts, 'left out': 2 },
    rows: [...plan.rows, row({ row: 4, line: 9, name: '=Hut, west', action: 'left out', why })],
  });
  const { user, dialog, choose } = await opened(api);
  await choose('podlist', csv('name;serial\nA1;IPC1'));
  await user.click(await dialog.findByRole('button', { name: 'Save the 2 left out as CSV' }));
  expect(await saved[0]?.text()).toContain(
    `line,name,reason\r\n5,Trough4,${why}\r\n9,"'=Hut, west",${why}\r\n`,
  );
  vi.restoreAllMocks();
});

test('rows by the hundred are gone past by one press, to Import', async () => {
  const rows = Array.from({ length: 300 }, (_, index) =>
    row({ row: index, line: index + 2, name: `A${index}` }),
  );
  const api = new FakeApi().on('POST /import/plan', { ...plan, counts: { ...plan.counts, add: 300 }, rows });
  const { user, dialog, choose } = await opened(api);
  await choose('podlist', csv('name;serial\nA1;IPC1'));
  await user.click(await dialog.findByRole('button', { name: 'To the end of the rows' }));
  await user.tab();
  expect(document.activeElement?.textContent).toBe('Other file');
});

test('an import that fails says so with the file and the reason, and can be tried again', async () => {
  const api = new FakeApi()
    .on('POST /import/plan', plan)
    .on('POST /import/apply', new Failure(503, 'The database is away.'));
  const { user, dialog, choose } = await opened(api);
  await choose('podlist', csv('name;serial\nA1;IPC1'));
  await user.click(await dialog.findByRole('button', { name: 'Import 2' }));
  expect((await dialog.findByRole('alert')).textContent).toBe(
    'File pods.csv was not uploaded. The database is away.',
  );
  expect(dialog.getByRole('button', { name: 'Import 2' }).hasAttribute('disabled')).toBe(false);
});

test('a map file is sent whole, and what it would do is on the map beside the table', async () => {
  const place = { lat: -43.6, lng: 172.1 };
  const api = new FakeApi().on('POST /import/plan', {
    ...plan,
    newGroups: [],
    notes: [],
    counts: { add: 2, change: 1, choose: 0, same: 0, 'left out': 0 },
    rows: [
      row({ kind: 'poi', name: 'Top', place }),
      row({ row: 1, kind: 'poi', name: 'River', place: { lat: -43.61, lng: 172.1 } }),
      row({
        row: 2,
        kind: 'boundary',
        name: 'Home',
        action: 'change',
        fields: [{ field: 'boundary', from: '', to: '12.00 ha, 4 corners' }],
      }),
    ],
  });
  const { user, dialog, choose } = await opened(api);
  await choose('kml', csv('<kml/>', 'paddocks.kml'));
  expect(await dialog.findByText('2 will be added, 1 will be changed.')).toBeTruthy();
  expect(api.calls('POST /import/plan').map(({ body }) => [body.typeFile, body.data])).toEqual([
    ['kml', expect.stringMatching(/^data:.*;base64,PGttbC8\+$/)],
  ]);
  expect(await dialog.findByRole('region', { name: 'Map of what the file would do' })).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Untick all' }));
  expect(dialog.getByRole('button', { name: 'Nothing is ticked' })).toHaveProperty('disabled', true);
  await user.click(dialog.getByRole('button', { name: 'Tick all 3' }));
  await user.click(dialog.getByRole('checkbox', { name: 'Add Point River' }));
  expect(dialog.getByRole('button', { name: 'Import 2' })).toBeTruthy();
});

test('a file that is dropped is looked at by its name, and another one in its place', async () => {
  const api = new FakeApi().on('POST /import/plan', plan);
  const { dialog } = await opened(api);
  const drop = (file: File) => fireEvent.drop(window, { dataTransfer: { types: ['Files'], files: [file] } });
  drop(csv('x', 'notes.docx'));
  expect((await dialog.findByRole('alert')).textContent).toBe(
    "What notes.docx is can't be told by its name: choose its type first.",
  );
  drop(csv('name;serial\nA1;IPC1'));
  expect(await dialog.findByText(/^1 will be added/)).toBeTruthy();
  drop(csv('[pod1]', 'site.prj'));
  await dialog.findByText(/^1 will be added/);
  await waitFor(() =>
    expect(api.calls('POST /import/plan').map(({ body }) => body.typeFile)).toEqual(['podlist', 'project']),
  );
});

test('a file of another type is read by that one, where it is pressed', async () => {
  const api = new FakeApi().on(
    'POST /import/plan',
    new Failure(400, 'This is GeoJSON. Choose Location.', {
      field: 'data',
      current: { typeFile: 'geojson' },
    }),
  );
  const { user, dialog, choose } = await opened(api);
  await choose('podlist', csv('{"type":"FeatureCollection"}', 'land.txt'));
  expect((await dialog.findByRole('alert')).textContent).toBe(
    'File land.txt was not uploaded. This is GeoJSON. Choose Location.',
  );
  api.on('POST /import/plan', plan);
  await user.click(dialog.getByRole('button', { name: 'Choose Location' }));
  expect(await dialog.findByRole('button', { name: 'Import 2' })).toBeTruthy();
  expect(api.calls('POST /import/plan').map(({ body }) => [body.typeFile, body.filename])).toEqual([
    ['podlist', 'land.txt'],
    ['geojson', 'land.txt'],
  ]);
});

test('site.zip is sent whole, and a site.json of more than 10 MB packed', async () => {
  const api = new FakeApi().on('POST /import/plan', plan);
  const { user, dialog, choose } = await opened(api);
  await choose('schedules', csv(new Uint8Array([0x50, 0x4b]), 'site.zip'));
  await user.click(await dialog.findByRole('button', { name: 'Other file' }));
  await choose('project', csv(`{${' '.repeat(11_000_000)}}`, 'site.json'));
  await waitFor(() => expect(api.calls('POST /import/plan')).toHaveLength(2));
  const [zip, site] = api.calls('POST /import/plan').map(({ body }) => body);
  expect([zip?.typeFile, zip?.data]).toEqual(['schedules', 'data:application/octet-stream;base64,UEs=']);
  expect(site?.typeFile).toBe('ims');
  // The mark of gzip.
  expect(site?.data).toMatch(/^data:application\/octet-stream;base64,H4s/);
  expect(site?.data.length).toBeLessThan(100_000);
}, 20_000);

test('of two rows about one unit the one that is ticked last is done, and the other is given up with its group', async () => {
  const twins: ImportPlan = {
    ...plan,
    counts: { add: 1, change: 0, choose: 3, same: 0, 'left out': 0 },
    rows: [
      row({ name: 'A1', action: 'choose', others: [], together: 0, apart: [0] }),
      row({ row: 1, line: 3, name: 'A2', action: 'choose', others: [], together: 0 }),
      row({
        row: 2,
        line: 4,
        name: 'A3',
        action: 'choose',
        apart: [0],
        why: 'Line 2 is about the same unit.',
      }),
      row({ row: 3, line: 5, name: 'A4' }),
    ],
  };
  const api = new FakeApi()
    .on('POST /import/plan', twins)
    .on('POST /import/apply', { result: true, msg: { res_message: '2 imported' }, batchId: BATCH });
  const { user, dialog, choose } = await opened(api);
  await choose('podlist', csv('name;serial\nA1;IPC1'));
  const swap = within(await dialog.findByRole('radiogroup', { name: 'Your choice A1' }));
  await user.click(swap.getByRole('radio', { name: 'Swap' }));
  expect(dialog.getByRole('button', { name: 'Import 3' })).toBeTruthy();
  const instead = dialog.getByRole<HTMLInputElement>('checkbox', { name: 'Your choice A3' });
  await user.click(instead);
  expect(dialog.getByRole('button', { name: 'Import 2' })).toBeTruthy();
  await user.click(swap.getByRole('radio', { name: 'Swap' }));
  expect(instead.checked).toBe(false);
  await user.click(instead);
  await user.click(dialog.getByRole('button', { name: 'Import 2' }));
  await waitFor(() => expect(api.calls('POST /import/apply')).toHaveLength(1));
  expect(api.calls('POST /import/apply')[0]?.body).toMatchObject({ skip: [], take: [2] });
});
