import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { levels, presets } from '@headrace/contract/permissions';
import type { FarmSupply } from '@headrace/contract/supply';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { permissionsOn, rakaia } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { buildCommand } from '../commands/command-fixtures.ts';
import './schedule-view-page.tsx';
import './supply-tab.tsx';

const farmUID = rakaia._id;
const PATH = `/schedules/view/${farmUID}`;
const nothing: FarmSupply = {
  farmUID,
  maxLps: null,
  windows: [],
  avoid: [],
  mains: [],
  notes: '',
  version: 0,
  updatedAt: null,
};
const known: FarmSupply = {
  ...nothing,
  maxLps: 42.5,
  windows: [{ fromMin: 1260, toMin: 420, why: 'night tariff' }],
  avoid: [{ fromMin: 300, toMin: 375, why: '' }],
  notes: 'Ring the scheme.',
  version: 3,
  updatedAt: '2026-01-14T02:00:00.000Z',
};
const serve = (supply: FarmSupply | Failure = nothing) =>
  new FakeApi()
    .on('GET /farm/supply', supply)
    .on('GET /schedules/takes', { groups: [], shared: [] })
    .on('GET /paddock-holds', { holds: [] });
const open = (api: FakeApi) => renderApp(`${PATH}?tab=supply`, { api });
const field = (name: RegExp | string) => screen.findByLabelText(name);

describe('the water supply', () => {
  test('is entered: the pump, when there is water, and when to leave it', async () => {
    const api = serve().on('PUT /farm/supply', { ...known, version: 1 });
    const { user } = open(api);
    await user.type(await field(/^Pump flow/), '42.5');
    await user.click(screen.getByRole('button', { name: 'Add a time for water' }));
    await user.type(await field('Times for water 1, from'), '21:00');
    await user.type(await field('Times for water 1, to'), '07:00');
    await user.type(await field('Times for water 1, why'), 'night tariff');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Water supply saved.')).toBeTruthy();
    expect(api.calls('PUT /farm/supply').map(({ body }) => body)).toEqual([
      {
        farmUID,
        version: 0,
        maxLps: 42.5,
        windows: [{ fromMin: 1260, toMin: 420, why: 'night tariff' }],
        avoid: [],
        mains: [],
        notes: '',
      },
    ]);
  });

  test('has mains: a name, what it gives, and the groups on it', async () => {
    const groups = ['North', 'South'].map((name, index) => ({
      groupUID: `${index}`.padStart(24, '0'),
      name,
      sprinklers: 3,
      litresADay: 1000,
      unknown: 0,
    }));
    const api = serve()
      .on('GET /schedules/takes', { groups, shared: [] })
      .on('PUT /farm/supply', { ...known, version: 1 });
    const { user } = open(api);
    await user.click(await screen.findByRole('button', { name: 'Add a main' }));
    await user.type(await field('Main 1, name'), 'West');
    await user.type(await field('Main 1, L/s'), '12');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Each main needs a group.')).toBeTruthy();
    const list = await screen.findByRole('list', { name: 'Groups on main West' });
    await user.click(await within(list).findByRole('checkbox', { name: 'South' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Water supply saved.')).toBeTruthy();
    expect(api.calls('PUT /farm/supply').map(({ body }) => body.mains)).toEqual([
      [{ name: 'West', maxLps: 12, groups: [groups[1]?.groupUID] }],
    ]);
  });

  test('with a time that has no end is not saved, and says so', async () => {
    const api = serve();
    const { user } = open(api);
    await user.click(await screen.findByRole('button', { name: 'Add a time to avoid' }));
    await user.type(await field('Times to avoid 1, from'), '17:00');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Each time needs a beginning and an end.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Remove times to avoid 1' }));
    await user.type(await field(/^Pump flow/), '0');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Pump flow must be more than 0 L/s.')).toBeTruthy();
    expect(api.calls('PUT /farm/supply')).toEqual([]);
  });

  test('that somebody else changed meanwhile asks what to keep', async () => {
    const api = serve(known).on(
      'PUT /farm/supply',
      new Failure(409, 'Somebody else changed this meanwhile.', {
        field: 'version',
        current: { ...known, maxLps: 30, version: 4 },
      }),
    );
    const { user } = open(api);
    const pump = await field(/^Pump flow/);
    await user.clear(pump);
    await user.type(pump, '50');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    const dialog = await screen.findByRole('dialog', { name: 'Somebody else changed this meanwhile' });
    expect(within(dialog).getByText('30 L/s')).toBeTruthy();
    expect(within(dialog).getByText('50 L/s')).toBeTruthy();
  });

  test('counts the groups on a main while their names are not known', async () => {
    const reads = { ...presets.none, farms: levels.Read, schedules: levels.Read };
    const groups = ['0', '1'].map((digit) => digit.padStart(24, '0'));
    const supply = { ...known, mains: [{ name: 'West', maxLps: 12, groups }] };
    open(
      serve(supply)
        .on('GET /schedules/takes', new Failure(403, 'Ask the owner.'))
        .on('GET /permissions-list', { permissions: [permissionsOn(rakaia, reads)] }),
    );
    expect(await screen.findByText('West, 12 L/s: 2 groups')).toBeTruthy();
  });

  test('is read by who may not edit the farm', async () => {
    const reads = { ...presets.none, farms: levels.Read, schedules: levels.Read };
    open(serve(known).on('GET /permissions-list', { permissions: [permissionsOn(rakaia, reads)] }));
    expect(await screen.findByText('42.5 L/s')).toBeTruthy();
    expect(screen.getByText('21:00–07:00, night tariff')).toBeTruthy();
    expect(screen.getByText('05:00–06:15')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  });

  test('that could not be loaded is asked for again', async () => {
    const api = serve(new Failure(403, 'Ask the owner.'));
    const { user } = open(api);
    expect(await screen.findByText("The water supply couldn't be loaded")).toBeTruthy();
    api.on('GET /farm/supply', known);
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(((await field(/^Pump flow/)) as HTMLInputElement).value).toBe('42.5');
  });
});

describe('the sends of schedules', () => {
  test('are listed alone, with how many have it', async () => {
    const send = buildCommand(1, {
      command: 'SendScheduleSet',
      name: 'Summer',
      serialNumber: '',
      state: 'progress',
      total: 930,
      done: 412,
    });
    const api = serve().on('GET /commands', { commands: [send], more: false });
    renderApp(`${PATH}?tab=sends`, { api });
    const row = await screen.findByRole('listitem');
    expect(row.textContent).toContain('Send Schedules Summer');
    expect(within(row).getByRole('progressbar', { name: 'Units done' }).getAttribute('aria-valuenow')).toBe(
      '412',
    );
    await waitFor(() =>
      expect(api.calls('GET /commands').map(({ query }) => query.about)).toEqual(['schedules']),
    );
  });
});
