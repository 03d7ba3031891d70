import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Change } from '@headrace/contract/changes';
import { defaultWaterApplication } from '@headrace/contract/farms';
import { stubCanvas } from '../../map/fake-canvas.ts';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { buildFarmRecord, rakaia, uid } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { changeTitle, fieldName, valueText } from './change-labels.ts';

beforeEach(() => stubCanvas());

const change = (n: number, over: Partial<Change> = {}): Change => ({
  _id: String(n),
  at: '2026-11-01T02:30:00.000Z',
  by: 'Aroha Ngata',
  kind: 'farm',
  uid: rakaia._id,
  name: 'Rākaia Downs',
  what: 'changed',
  fields: [{ field: 'name', from: 'Downs', to: 'Rākaia Downs' }],
  ...over,
});
const open = (api: FakeApi) => renderApp(`/farm/${rakaia._id}`, { api });
const server = () => new FakeApi().on('GET /farm', buildFarmRecord(rakaia));

describe('the history of a farm', () => {
  test("says who, when on the farm's clock, and what it was before", async () => {
    const size = { field: 'size', from: 204.468, to: 0.95 };
    open(server().on('GET /changes', { changes: [change(1, { fields: [size] })], more: false }));
    const entry = (await screen.findByText('Aroha Ngata changed it')).closest('li');
    // 02:30 UTC is 15:30 in New Zealand's summer. The page's own clock may say the same.
    expect(entry?.textContent).toContain('15:30');
    expect(screen.getByText('Size', { selector: 'dt' }).parentElement?.textContent).toBe(
      'Sizefrom 204.47 ha to 9,500.00 m²',
    );
  });

  test('says that a MAC address was contested, and names nobody', async () => {
    const contested = {
      what: 'MAC address contested',
      by: '',
      kind: 'gateway',
      uid: uid(9),
      name: 'Shed',
      fields: [],
    };
    open(server().on('GET /changes', { changes: [change(1, contested)], more: false }));
    expect(await screen.findByText(/^Another farm contested the MAC address/)).toBeTruthy();
  });

  test('has what was done as one once, and its parts where they are asked for', async () => {
    const added = (n: number, over: Partial<Change> = {}) =>
      change(n, { kind: 'sprinkler', uid: uid(n), name: `A${n}`, what: 'created', fields: [], ...over });
    const api = server().on('GET /changes', ({ query }) =>
      query.with
        ? { changes: [added(300), added(299)], more: true }
        : { changes: [added(300, { parts: 1300 }), change(1)], more: false },
    );
    const { user } = open(api);
    const entry = (await screen.findByText('Aroha Ngata created sprinkler A300 and 1,299 more')).closest(
      'li',
    );
    const whole = within(entry as HTMLElement);
    await user.click(whole.getByRole('button', { name: 'Show all 1,300' }));
    const parts = within(await whole.findByRole('list'));
    expect(parts.getAllByRole('listitem').map(({ textContent }) => textContent?.slice(0, 34))).toEqual([
      'Aroha Ngata created sprinkler A300',
      'Aroha Ngata created sprinkler A299',
    ]);
    expect(whole.getByRole('button', { name: 'Show more of them' })).toBeTruthy();
    expect(api.calls('GET /changes').map(({ query }) => [query.together, query.with])).toEqual([
      [true, undefined],
      [undefined, '300'],
    ]);
    await user.click(whole.getByRole('button', { name: 'Hide all 1,300' }));
    expect(whole.queryByRole('list')).toBeNull();
  });

  test('goes back page by page', async () => {
    const api = server().on('GET /changes', ({ query }) =>
      query.before
        ? { changes: [change(1, { what: 'created', fields: [] })], more: false }
        : { changes: [change(3), change(2)], more: true },
    );
    const { user } = open(api);
    await user.click(await screen.findByRole('button', { name: 'Show older changes' }));
    expect(await screen.findByText('Aroha Ngata created it')).toBeTruthy();
    expect(api.calls('GET /changes').map(({ query }) => query.before)).toEqual([undefined, '2']);
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Show older changes' })).toBeNull());
  });

  test('that is empty or could not be loaded says so', async () => {
    const api = server().on('GET /changes', new Failure(403, 'No.'));
    const { user } = open(api);
    expect(await screen.findByText("The history couldn't be loaded")).toBeTruthy();
    api.on('GET /changes', { changes: [], more: false });
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('No changes yet.')).toBeTruthy();
  });
});

describe('what was done as one', () => {
  const undo = {
    batchId: uid(77),
    act: 'reset locations' as const,
    title: 'Locations of all sprinklers reset',
    was: 'done' as const,
  };
  const reset = (n: number) =>
    change(n, { kind: 'sprinkler', uid: uid(n), name: `A${n}`, what: 'reset location', undo });
  const asked = {
    others: 2,
    conflicts: [
      {
        uid: uid(1),
        kind: 'sprinkler',
        name: 'A1',
        by: 'Sam',
        at: '2026-11-02T02:30:00.000Z',
        canPutBack: true,
        why: '',
      },
      {
        uid: uid(2),
        kind: 'sprinkler',
        name: 'A2',
        by: '',
        at: null,
        canPutBack: false,
        why: 'It was deleted since.',
      },
    ],
  };

  test('is undone once for all, and what somebody changed since is asked about', async () => {
    const api = server()
      .on('GET /changes', { changes: [reset(3), reset(2), reset(1)], more: false })
      .on('POST /undo', ({ body }) =>
        body.putBack?.length
          ? { undone: 3, kept: 1, batchId: null }
          : new Failure(409, 'Choose.', { field: 'keep', current: asked }),
      );
    const { user } = open(api);
    const buttons = await screen.findAllByRole('button', { name: 'Undo: Locations of all sprinklers reset' });
    expect(buttons).toHaveLength(1);
    await user.click(buttons[0] as HTMLElement);
    const dialog = within(await screen.findByRole('dialog', { name: 'Undo this?' }));
    await user.click(dialog.getByRole('button', { name: 'Undo' }));
    await dialog.findByText(/2 go back/);
    expect(dialog.getByText(/^Sam changed it/)).toBeTruthy();
    expect(dialog.getByText('A2 stays as it is. It was deleted since.')).toBeTruthy();
    await user.click(dialog.getByRole('checkbox', { name: /Put back A1/ }));
    await user.click(dialog.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Undone: 3 as before, 1 left as they are.')).toBeTruthy();
    expect(api.calls('POST /undo').at(-1)?.body).toEqual({
      farmUID: rakaia._id,
      batchId: undo.batchId,
      act: undo.act,
      keep: [uid(2)],
      putBack: [uid(1)],
    });
  });

  test.each([
    ['undone', 'Do again', 'Do this again?', 'That was undone.', 'Done again.'],
    ['done again', 'Undo again', 'Undo this again?', 'That was undone, and done again.', 'Undone.'],
  ] as const)('and is %s since can be had the other way', async (was, offer, title, said, toast) => {
    const entry = change(1, { kind: 'sprinkler', uid: uid(1), name: 'A1', undo: { ...undo, was } });
    const api = server()
      .on('GET /changes', { changes: [entry], more: false })
      .on('POST /undo', { undone: 3, kept: 0, batchId: null });
    const { user } = open(api);
    await user.click(await screen.findByRole('button', { name: `${offer}: ${undo.title}` }));
    const dialog = within(await screen.findByRole('dialog', { name: title }));
    expect(dialog.getByText(`${undo.title}. ${said}`)).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: offer }));
    expect(await screen.findByText(toast)).toBeTruthy();
  });
});

test.each([
  [change(1, { kind: 'gateway', name: 'Pump shed' }), 'Aroha Ngata changed gateway Pump shed'],
  [
    change(1, { by: '', kind: 'poi', name: 'Bore', what: 'deleted' }),
    'Somebody whose account is gone deleted point of interest Bore',
  ],
  [
    change(1, { kind: 'sprinkler', name: 'P12', what: 'replaced battery' }),
    'Aroha Ngata replaced the battery of sprinkler P12',
  ],
  [
    change(1, { kind: 'sprinkler', name: 'P12', what: 'changed by command' }),
    'A command of Aroha Ngata changed sprinkler P12',
  ],
  [
    change(1, { by: '', kind: 'sprinkler', name: 'P12', what: 'changed by command' }),
    'A command changed sprinkler P12',
  ],
])('a change on the farm names its record', (given, title) => {
  expect(changeTitle({ ...given, uid: uid(5) }, false)).toBe(title);
});

test.each([
  ['irrigationArea', 'Irrigation area', 12.5, '12.5 ha'],
  ['serial_number', 'Serial number', '', 'nothing'],
  ['tankOnly', 'Tanks only', true, 'on'],
  ['icon', 'Icon', 'farm-red', 'Red'],
  ['walConfig', 'Water application', defaultWaterApplication, '5 mm in 30 min, 4 L/s, system design'],
  ['rawOffset', 'Standard time offset', 45_900, '12.75 h'],
  ['groups', 'Groups', ['North', 'Block 2'], 'North, Block 2'],
  ['mapping', 'Mapping', [{ a: 1 }, { b: 2 }], '2 entries'],
  ['location', 'Location', { lat: -43.5, lng: null }, 'latitude -43.5'],
  ['lat', 'Latitude', -43.7512345678, '-43.751235°'],
])('%s is told in words', (field, name, value, text) => {
  expect(fieldName(field)).toBe(name);
  expect(valueText(field, value)).toBe(text);
});
