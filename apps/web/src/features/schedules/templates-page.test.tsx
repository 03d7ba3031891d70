import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import type { RecordKind } from '@headrace/contract/live';
import { levels, presets } from '@headrace/contract/permissions';
import type { ScheduleTemplate } from '@headrace/contract/schedule-templates';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { FakeSocket } from '../../testing/fake-socket.ts';
import { permissionsOn, rakaia, uid, waihao } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';

const farmUID = rakaia._id;
const PATH = `/scheduler/${farmUID}`;
const group = (n: number, name: string, isGone = false) => ({ uid: uid(8100 + n), name, isGone });
const build = (n: number, name: string, over: Partial<ScheduleTemplate> = {}): ScheduleTemplate => ({
  _id: uid(9200 + n),
  farmUID,
  name,
  groups: [group(1, 'North')],
  settings: { duration: 28 },
  windy: false,
  leveling: false,
  startMin: 0,
  version: 1,
  updatedAt: '2026-01-14T02:00:00.000Z',
  ...over,
});
const summer = build(1, 'Summer');
const spring = build(2, 'Spring', {
  groups: [group(1, 'North'), group(2, 'South', true), group(3, 'East'), group(4, 'West')],
  settings: { duration: 22, cycleLen: 480 },
  windy: true,
  leveling: true,
  startMin: 1260,
  limits: { maxLps: 40, windows: [], avoid: [] },
});
const serve = (schedules = [spring, summer]) => new FakeApi().on('GET /schedule-templates', { schedules });
const entries = () =>
  within(screen.getByRole('list', { name: 'Schedule templates' })).getAllByRole('listitem');
const names = () => entries().map((entry) => within(entry).getByRole('heading').textContent);
const open = async (api = serve()) => {
  const app = renderApp(PATH, { api });
  await screen.findByRole('list', { name: 'Schedule templates' });
  return app;
};

describe('the schedule templates', () => {
  test('say how they water, and which groups', async () => {
    const { api } = await open();
    expect(api.calls('GET /schedule-templates').map(({ query }) => query.farmUID)).toEqual([farmUID]);
    expect(names()).toEqual(['Spring', 'Summer']);
    const says = (text: string) => screen.getByText(text);
    expect(
      says('22 min each, from 21:00, every 480 min, windy, leveling, within the water supply’s limits'),
    ).toBeTruthy();
    expect(says('Groups North, South (no longer on the farm), East and 1 more')).toBeTruthy();
    expect(says('28 min each, from 00:00')).toBeTruthy();
    expect(says('Group North')).toBeTruthy();
  });

  test('are none yet', async () => {
    renderApp(PATH, { api: serve([]) });
    expect(await screen.findByText('No schedule templates yet.')).toBeTruthy();
  });

  test('that could not be loaded are asked for again', async () => {
    const api = serve().on('GET /schedule-templates', new Failure(403, 'Ask the owner.'));
    const { user } = renderApp(PATH, { api });
    expect(await screen.findByText("The schedule templates couldn't be loaded")).toBeTruthy();
    api.on('GET /schedule-templates', { schedules: [summer] });
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('heading', { name: 'Summer' })).toBeTruthy();
  });

  test('are the most there can be', async () => {
    await open(serve(Array.from({ length: 200 }, (_none, n) => build(n, `Plan ${n}`))));
    expect(screen.getByText(/^The farm has 200 schedule templates, the most there can be\./)).toBeTruthy();
  });

  test('show what somebody else changed as soon as the server says so, and are not asked for otherwise', async () => {
    const api = serve();
    await open(api);
    const change = (kinds: RecordKind[]) =>
      act(() => FakeSocket.last.push({ type: 'records_update', data: { farmUID, kinds } }));
    api.on('GET /schedule-templates', { schedules: [build(1, 'Autumn')] });
    change(['poi']);
    change(['schedule template']);
    await waitFor(() => expect(names()).toEqual(['Autumn']));
    expect(api.calls('GET /schedule-templates')).toHaveLength(2);
  });

  test('offer only what one may do', async () => {
    const reads = { ...presets.none, farms: levels.Read, schedules: levels.Read };
    await open(serve().on('GET /permissions-list', { permissions: [permissionsOn(rakaia, reads)] }));
    expect(screen.queryByRole('button', { name: 'Copy Summer' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Delete Summer' })).toBeNull();
  });
});

describe('a template', () => {
  const remove = async (api: FakeApi) => {
    const { user } = await open(api);
    await user.click(screen.getByRole('button', { name: 'Delete Summer' }));
    await user.click(await screen.findByRole('button', { name: 'Delete template' }));
    return user;
  };

  test('is deleted after asking, and brought back', async () => {
    const api = serve();
    api
      .on('DELETE /schedule-template', () => {
        api.on('GET /schedule-templates', { schedules: [spring] });
        return { deleted: true, batchId: uid(9500) };
      })
      .on('POST /undo', () => {
        api.on('GET /schedule-templates', { schedules: [spring, summer] });
        return { undone: 1, kept: 0, batchId: uid(9501) };
      });
    const user = await remove(api);
    await waitFor(() => expect(names()).toEqual(['Spring']));
    expect(api.calls('DELETE /schedule-template').map(({ query }) => query.templateUID)).toEqual([
      summer._id,
    ]);
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Undone.')).toBeTruthy();
    await waitFor(() => expect(names()).toEqual(['Spring', 'Summer']));
    expect(api.calls('POST /undo').map(({ body }) => body)).toEqual([
      { farmUID: summer.farmUID, batchId: uid(9500), act: 'delete schedule template' },
    ]);
  });

  test('that is not deleted says why', async () => {
    await remove(serve().on('DELETE /schedule-template', new Failure(403, 'Ask the owner.')));
    expect((await screen.findByRole('alert')).textContent).toBe('Ask the owner.');
    expect(screen.getByRole('dialog', { name: 'Delete Summer?' })).toBeTruthy();
  });

  test('is copied to another farm, which lacks some of its groups', async () => {
    const api = serve().on('POST /schedule-template/clone', {
      templateUID: uid(9300),
      missing: ['North', 'East'],
    });
    const { user } = await open(api);
    await user.click(screen.getByRole('button', { name: 'Copy Summer' }));
    const name = await screen.findByRole('textbox', { name: /^Name/ });
    expect((name as HTMLInputElement).value).toBe('Summer (copy)');
    await user.clear(name);
    await user.type(name, 'Late');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Farm' }), 'Waihao Flats');
    await user.click(screen.getByRole('button', { name: 'Copy' }));
    const told = 'Late added without North, East: the farm has no groups of these names.';
    expect(await screen.findByText(told)).toBeTruthy();
    expect(api.calls('POST /schedule-template/clone').map(({ body }) => body)).toEqual([
      { templateUID: summer._id, farmUID: waihao._id, name: 'Late' },
    ]);
  });

  test('is not copied under a name that is taken: the field says so', async () => {
    const taken = new Failure(409, 'The farm has one of this name.', { field: 'name' });
    const { user } = await open(serve().on('POST /schedule-template/clone', taken));
    await user.click(screen.getByRole('button', { name: 'Copy Summer' }));
    await user.click(await screen.findByRole('button', { name: 'Copy' }));
    expect(await screen.findByText('The farm has one of this name.')).toBeTruthy();
    expect(screen.getByRole('textbox', { name: /^Name/ }).getAttribute('aria-invalid')).toBe('true');
  });
});
