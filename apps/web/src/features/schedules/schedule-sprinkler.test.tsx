import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { FakeApi } from '../../testing/fake-api.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { buildGroup, buildUnit } from '../group-map/group-fixtures.ts';
// Loaded before, so that no test waits for it.
import '../sprinkler-dialog/sprinkler-dialog.tsx';
import './open-sprinkler.tsx';
import './template-pages.tsx';
import { buildTemplate, farmUID, scheduleFarm, scheduleGroup } from './schedule-fixtures.ts';

afterEach(() => vi.restoreAllMocks());

const north = scheduleGroup(1, 'North', 2);
const template = buildTemplate();
const cell = (name: string) => screen.findByRole('button', { name: new RegExp(` ${name} `) });
const closed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

async function open() {
  const units = north.ipcs.map(({ id, name }, n) => buildUnit(n, { id, name }));
  const api = new FakeApi()
    .on('GET /schedule-template/farm-details', scheduleFarm(north))
    .on('GET /schedule-template', template)
    .on('GET /farm/supply', {
      farmUID,
      maxLps: null,
      windows: [],
      avoid: [],
      mains: [],
      notes: '',
      version: 0,
      updatedAt: null,
    })
    .on('GET /changes', { changes: [], more: false })
    .on('GET /group/units', buildGroup(units))
    .on('GET /ipc/runs', { runs: [], next: null });
  const view = renderApp(`/scheduler/${farmUID}/${template._id}`, { api });
  const addressed = () => (view.router.history.location.href.match(/ipc=(\w+)/) ?? [])[1];
  const isIdle = () => waitFor(() => expect(view.router.state.status).toBe('idle'));
  await cell('N1');
  return { ...view, addressed, isIdle };
}

test('a sprinkler of a plan is shown before the address has it, one after the other, and Back closes it', async () => {
  const { user, router, addressed, isIdle } = await open();
  await user.click(await cell('N1'));
  await within(await screen.findByRole('dialog', { name: /N1/ })).findByRole('tabpanel');
  await waitFor(() => expect(addressed()).toBe(north.ipcs[0]?.id));
  await user.keyboard('{Escape}');
  await closed();
  await isIdle();
  // The browser paints nothing.
  const frames: FrameRequestCallback[] = [];
  const hold = vi
    .spyOn(globalThis, 'requestAnimationFrame')
    .mockImplementation((frame) => frames.push(frame));
  fireEvent.click(await cell('N2'));
  expect(screen.getByRole('dialog', { name: /N2/ })).toBeTruthy();
  expect(addressed()).toBeUndefined();
  hold.mockRestore();
  act(() => {
    for (const frame of frames) frame(performance.now());
  });
  await waitFor(() => expect(addressed()).toBe(north.ipcs[1]?.id));
  await isIdle();
  expect(screen.getByRole('dialog', { name: /N2/ })).toBeTruthy();
  act(() => router.history.back());
  await closed();
  expect(router.state.location.pathname).toBe(`/scheduler/${farmUID}/${template._id}`);
});
