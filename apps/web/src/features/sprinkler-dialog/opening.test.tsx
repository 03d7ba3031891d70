import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { createBrowserHistory, type RouterHistory } from '@tanstack/react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { stubCanvas } from '../../map/fake-canvas.ts';
import { FakeApi } from '../../testing/fake-api.ts';
// The map is much code: it is there before a test waits for it.
import '../../map/farm-map-view.tsx';
import '../group-map/group-map-page.tsx';
import './sprinkler-dialog.tsx';
import { renderApp } from '../../testing/render-app.tsx';
import { buildGroup, buildOther, buildUnit } from '../group-map/group-fixtures.ts';

beforeEach(stubCanvas);
afterEach(() => vi.restoreAllMocks());

const three = [buildUnit(1), buildUnit(2), buildUnit(3)] as const;

/** The map of three sprinklers. */
async function open(path: string | RouterHistory = '/group-status/FARM') {
  const api = new FakeApi()
    .on('GET /group/units', buildGroup([...three], { gateways: [buildOther(1, 'Dairy shed')] }))
    .on('GET /ipc/runs', { runs: [], next: null })
    .on('GET /ipc/batterylife', { charge: [], span: 'reading', changes: [], threshold: 50 });
  const view = renderApp(path, { api });
  await row('A1');
  await idle(view);
  return view;
}
type View = Awaited<ReturnType<typeof open>>;

const idle = ({ router }: Pick<View, 'router'>) => waitFor(() => expect(router.state.status).toBe('idle'));
const row = (name: string) => screen.findByRole('link', { name: new RegExp(name) });
const shown = () => screen.queryByRole('dialog')?.querySelector('h2')?.textContent;
const addressed = ({ router }: View) => (router.history.location.href.match(/ipc=(\w+)/) ?? [])[1];
const closed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

/** The browser paints nothing until `paint`. */
function holdFrames() {
  const frames = new Map<number, FrameRequestCallback>();
  const hold = vi.spyOn(globalThis, 'requestAnimationFrame').mockImplementation((frame) => {
    frames.set(frames.size + 1, frame);
    return frames.size;
  });
  const drop = vi.spyOn(globalThis, 'cancelAnimationFrame').mockImplementation((number) => {
    frames.set(number, () => undefined);
  });
  return async () => {
    hold.mockRestore();
    drop.mockRestore();
    for (const frame of frames.values()) frame(performance.now());
    // What a frame begins comes after it.
    await act(() => new Promise((done) => setTimeout(done)));
  };
}

/** A1's dialog, which the code is there for, opened and closed once. */
async function warmUp(view: View) {
  await view.user.click(await row('A1'));
  await within(await screen.findByRole('dialog', { name: /A1/ })).findByRole('tabpanel');
  await view.user.keyboard('{Escape}');
  await closed();
  await idle(view);
}

test('a tapped sprinkler is shown before the address has it; then the address names it, and Back closes it', async () => {
  const view = await open();
  await warmUp(view);
  const paint = holdFrames();
  fireEvent.click(await row('A2'));
  expect(shown()).toBe('A2');
  expect(addressed(view)).toBeUndefined();
  await paint();
  await waitFor(() => expect(addressed(view)).toBe(three[1].id));
  await idle(view);
  expect(shown()).toBe('A2');
  act(() => view.router.history.back());
  await closed();
  expect(view.router.state.location.pathname).toBe('/group-status/FARM');
  expect(addressed(view)).toBeUndefined();
});

test('closed before the address has it, it stays closed, and nothing was added to go back by', async () => {
  const view = await open();
  await warmUp(view);
  const before = view.router.history.location;
  const entries = view.router.history.length;
  const paint = holdFrames();
  fireEvent.click(await row('A2'));
  fireEvent.click(screen.getByRole('button', { name: 'Close dialog' }));
  await paint();
  await closed();
  await idle(view);
  expect(view.router.history.location).toBe(before);
  expect(view.router.history.length).toBe(entries);
});

/** It is shown before and after the address has it, and one Back closes it. */
async function comesTo(
  view: Awaited<ReturnType<typeof open>>,
  paint: () => Promise<void>,
  name: string,
  id: string,
): Promise<void> {
  expect(shown()).toBe(name);
  await paint();
  await waitFor(() => expect(addressed(view)).toBe(id));
  await idle(view);
  expect(shown()).toBe(name);
  act(() => view.router.history.back());
  await closed();
  expect(addressed(view)).toBeUndefined();
}

test('of two taps before the address has either, the second counts, and one Back closes it', async () => {
  const view = await open();
  await warmUp(view);
  const paint = holdFrames();
  fireEvent.click(await row('A2'));
  fireEvent.click(screen.getByText('A3'));
  await comesTo(view, paint, 'A3', three[2].id);
});

test('going on to the next before the address has the first comes to the next, and one Back closes it', async () => {
  const view = await open();
  await warmUp(view);
  const paint = holdFrames();
  fireEvent.click(await row('A1'));
  fireEvent.click(screen.getByRole('button', { name: 'Next sprinkler' }));
  await comesTo(view, paint, 'A2', three[1].id);
});

test('whoever goes elsewhere before the address has it gets there, without it', async () => {
  const view = await open();
  await warmUp(view);
  const paint = holdFrames();
  fireEvent.click(await row('A2'));
  await act(() => view.router.navigate({ to: '/home' as never }));
  await paint();
  await closed();
  await idle(view);
  expect(view.router.state.location.pathname).toBe('/home');
});

test('Back before the address has it closes it and stays on the page', async () => {
  history.replaceState(null, '', '/home');
  const browser = createBrowserHistory();
  browser.push('/group-status/FARM');
  const view = await open(browser);
  await warmUp(view);
  const paint = holdFrames();
  fireEvent.click(await row('A2'));
  expect(shown()).toBe('A2');
  history.back();
  await closed();
  await paint();
  await waitFor(() => expect(location.pathname).toBe('/group-status/FARM'));
  await idle(view);
  expect(location.search).not.toContain('ipc');
  expect(screen.queryByRole('dialog')).toBeNull();
  browser.destroy();
});

test('a sprinkler of a link is open at once, and closes to the same page', async () => {
  const view = await open(`/group-status/FARM?ipc=${three[1].id}&show=all`);
  await waitFor(() => expect(shown()).toBe('A2'));
  await view.user.click(screen.getByRole('button', { name: 'Close dialog' }));
  await closed();
  expect(addressed(view)).toBeUndefined();
});
