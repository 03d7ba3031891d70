import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Api } from '@headrace/contract/api';
import { presets } from '@headrace/contract/permissions';
import { stubCanvas } from '../../map/fake-canvas.ts';
import { MarkerLayer } from '../../map/marker-layer.ts';
import { BODY_UP_PX } from '../../map/marker-sprites.ts';
import { Failure, FakeApi, type FakeCall } from '../../testing/fake-api.ts';
import { findMap } from '../../testing/find-map.ts';
import { permissionsOn, rakaia, uid } from '../../testing/fixtures.ts';
// The map is much code: it is there before a test waits for it.
import '../../map/farm-map-view.tsx';
import '../../forms/conflict-dialog.tsx';
import './group-map-page.tsx';
import './other-popup.tsx';
import '../sprinkler-dialog/sprinkler-dialog.tsx';
import { renderApp } from '../../testing/render-app.tsx';
import { buildGroup, buildOther, buildUnit } from './group-fixtures.ts';

beforeEach(() => {
  stubCanvas();
  for (const side of ['clientWidth', 'clientHeight'] as const)
    vi.spyOn(HTMLElement.prototype, side, 'get').mockReturnValue(800);
});
afterEach(() => vi.restoreAllMocks());

const at = { lat: rakaia.lat, lng: rakaia.lng };
/** The farm is 0.02° wide: zoom 15.5, and 16 where the tests' browser rounds it. The middle of the free part, where A1 stands, is at 380, 394. */
const DEGREES_PER_PX = 360 / (256 * 2 ** 16);
const boundaries = [-0.01, 0, 0.01].map((east) => ({ lat: at.lat, lng: at.lng + east }));
const A1 = { x: 380, y: 394 };
const east = (px: number) => ({ lat: at.lat, lng: at.lng + px * DEGREES_PER_PX });

type Asked = FakeCall<'POST /devices/move'>['body'];
type Reply = Api['POST /devices/move']['reply'];
const units = [buildUnit(1, at), buildUnit(2, east(100))];
const batchId = uid(9001);

function open(
  answers: (Reply | Failure)[] = [],
  info: Partial<ReturnType<typeof buildGroup>> = {},
  rights = presets.farmManager,
) {
  const replies = [...answers];
  const moved: Asked[] = [];
  // Stands where it was moved to once the server has said so.
  let group = buildGroup(units, { boundaries, ...info });
  const api = new FakeApi()
    .on('GET /group/units', () => group)
    .on('GET /permissions-list', { permissions: [permissionsOn(rakaia, rights)] })
    .on('POST /undo', { undone: 1, kept: 0, batchId: uid(9002) })
    .on('POST /devices/move', ({ body }) => {
      moved.push(body);
      const reply = replies.shift() ?? { moved: body.devices.length, batchId };
      if (!(reply instanceof Failure)) {
        const to = new Map(body.devices.map((device) => [device.id, device.to]));
        group = { ...group, units: group.units.map((unit) => ({ ...unit, ...to.get(unit.id) })) };
      }
      return reply;
    });
  const drawn = vi.spyOn(MarkerLayer.prototype, 'setMarkers');
  const placeOf = (id: string) => {
    const marker = drawn.mock.lastCall?.[0].find((one) => one.id === id);
    return marker && { lat: marker.lat, lng: marker.lng };
  };
  return { ...renderApp('/group-status/FARM', { api }), api, moved, placeOf };
}

async function start(view: ReturnType<typeof open>): Promise<HTMLElement> {
  const map = await findMap();
  await screen.findByRole('link', { name: /A1/ });
  await view.user.click(await screen.findByRole('button', { name: 'Move devices' }));
  await screen.findByRole('toolbar', { name: 'Move devices' });
  return map;
}
function drag(map: HTMLElement, from: { x: number; y: number }, by: number, more: object = {}): void {
  const event = (x: number, y: number) => ({
    clientX: x,
    clientY: y,
    pointerId: 1,
    isPrimary: true,
    button: 0,
    ...more,
  });
  fireEvent.pointerDown(map, event(from.x, from.y));
  fireEvent.pointerMove(map, event(from.x + by / 2, from.y));
  fireEvent.pointerMove(map, event(from.x + by, from.y));
  fireEvent.pointerUp(map, event(from.x + by, from.y));
  fireEvent.click(map, event(from.x + by, from.y));
}
const tap = (map: HTMLElement, { x, y }: { x: number; y: number }, more: object = {}) => {
  fireEvent.pointerDown(map, { clientX: x, clientY: y, pointerId: 1, isPrimary: true, button: 0, ...more });
  fireEvent.pointerUp(map, { clientX: x, clientY: y, pointerId: 1, isPrimary: true, button: 0, ...more });
  fireEvent.click(map, { clientX: x, clientY: y, ...more });
};
function expectNear(place: { lat: number; lng: number } | undefined, wanted: { lat: number; lng: number }) {
  expect(place?.lat).toBeCloseTo(wanted.lat, 4);
  expect(place?.lng).toBeCloseTo(wanted.lng, 4);
}

describe('moving devices on the map', () => {
  test('by a drag saves the place, says so, and is undone', async () => {
    const view = open();
    const map = await start(view);
    drag(map, A1, 40);
    await waitFor(() => expect(view.moved).toHaveLength(1));
    const [asked] = view.moved;
    expect(asked).toMatchObject({ farmUID: rakaia._id, kind: 'sprinkler' });
    expect(asked?.devices).toMatchObject([{ id: uid(1001), from: at }]);
    expectNear(asked?.devices[0]?.to, east(40));
    // 0.000858° at 43.75° S, where a degree has 80.3 km.
    expect(await screen.findByText('A1 moved 69 m.')).toBeTruthy();
    expectNear(view.placeOf(uid(1001)), east(40));
    await view.user.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() =>
      expect(view.api.calls('POST /undo')[0]?.body).toEqual({
        farmUID: rakaia._id,
        batchId,
        act: 'move sprinkler',
      }),
    );
    // The mode goes on for the next.
    expect(screen.getByRole('toolbar', { name: 'Move devices' })).toBeTruthy();
  });

  test('a second time begins where the first ended, however quickly', async () => {
    const view = open();
    const map = await start(view);
    drag(map, A1, 40);
    await waitFor(() => expectNear(view.placeOf(uid(1001)), east(40)));
    drag(map, { x: A1.x + 40, y: A1.y }, 20);
    await waitFor(() => expect(view.moved).toHaveLength(2));
    expect(view.moved[1]?.devices[0]?.from).toEqual(view.moved[0]?.devices[0]?.to);
    expectNear(view.moved[1]?.devices[0]?.to, east(60));
  });

  test('by arrow keys: Escape puts back, Enter keeps', async () => {
    const view = open();
    const map = await start(view);
    await view.user.click(screen.getByRole('link', { name: /A1/ }));
    await screen.findByText('A1: drag it, or use the arrow keys: 1 m, with Shift 10 m.');
    expect(document.activeElement).toBe(map);
    await view.user.keyboard('{Shift>}{ArrowRight}{ArrowRight}{/Shift}{ArrowRight}');
    await screen.findByText('A1: 21 m from its place. Enter keeps it, Escape puts it back.');
    await view.user.keyboard('{Escape}');
    await screen.findByText('A1: drag it, or use the arrow keys: 1 m, with Shift 10 m.');
    await view.user.keyboard('{Enter}');
    expect(view.moved).toEqual([]);
    await view.user.keyboard('{ArrowUp}{Enter}');
    await waitFor(() => expect(view.moved).toHaveLength(1));
    expect(view.moved[0]?.devices[0]?.to.lat).toBeCloseTo(at.lat + 1 / 111_195, 6);
    await view.user.keyboard('{Escape}{Escape}');
    await waitFor(() => expect(screen.queryByRole('toolbar', { name: 'Move devices' })).toBeNull());
  });

  test('by buttons, where there is no keyboard to say keep', async () => {
    const view = open();
    await start(view);
    await view.user.click(screen.getByRole('link', { name: /A1/ }));
    await view.user.keyboard('{ArrowUp}');
    await view.user.click(await screen.findByRole('button', { name: 'Put back' }));
    expect(screen.queryByRole('button', { name: 'Keep' })).toBeNull();
    await view.user.click(screen.getByRole('link', { name: /A1/ }));
    await view.user.keyboard('{ArrowUp}');
    await view.user.click(await screen.findByRole('button', { name: 'Keep' }));
    await waitFor(() => expect(view.moved).toHaveLength(1));
  });

  test('of several moves each by the same', async () => {
    const view = open();
    const map = await start(view);
    await view.user.click(screen.getByRole('button', { name: 'Several' }));
    tap(map, A1);
    tap(map, { x: A1.x + 100, y: A1.y });
    await screen.findByText('2 devices: drag them, or use the arrow keys: 1 m, with Shift 10 m.');
    drag(map, A1, 40);
    await waitFor(() => expect(view.moved).toHaveLength(1));
    const places = new Map(view.moved[0]?.devices.map(({ id, to }) => [id, to]));
    expectNear(places.get(uid(1001)), east(40));
    expectNear(places.get(uid(1002)), east(140));
    expect(await screen.findByText('2 sprinklers moved.')).toBeTruthy();
  });

  test('by a finger takes what was chosen: elsewhere it moves the map', async () => {
    const view = open();
    const map = await start(view);
    drag(map, A1, 40, { pointerType: 'touch' });
    tap(map, A1, { pointerType: 'touch' });
    await screen.findByText(/^A1: drag it/);
    expect(view.moved).toEqual([]);
    // A finger is wide: 18 px beside it still is on it.
    drag(map, { x: A1.x - 18, y: A1.y }, 40, { pointerType: 'touch' });
    await waitFor(() => expect(view.moved).toHaveLength(1));
    expectNear(view.moved[0]?.devices[0]?.to, east(40));
  });

  test("begins from a sprinkler's dialog, which is away for as long as it is moved", async () => {
    open();
    fireEvent.click(await findMap(), { clientX: A1.x, clientY: A1.y });
    fireEvent.click(await screen.findByRole('button', { name: 'More for A1' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Move on the map' }));
    await screen.findByText(/^A1: drag it/);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});

describe('a place that is hardly meant', () => {
  const question = 'A1 would stand 25 km from Rakaia Downs. Save it there?';
  const asks = new Failure(400, question, { code: 'invalid', field: 'confirmFar' });

  test('is asked about, and taken when it is meant', async () => {
    const view = open([asks]);
    drag(await start(view), A1, 40);
    const dialog = within(await screen.findByRole('dialog', { name: 'Is this meant?' }));
    expect(dialog.getByText(question)).toBeTruthy();
    await view.user.click(dialog.getByRole('button', { name: 'Move it there' }));
    await waitFor(() => expect(view.moved).toHaveLength(2));
    expect(view.moved[1]).toEqual({ ...view.moved[0], confirmFar: true });
    expect(await screen.findByText(/^A1 moved/)).toBeTruthy();
  });

  test('is put back when it is not', async () => {
    const view = open([asks]);
    drag(await start(view), A1, 40);
    await waitFor(() => expectNear(view.placeOf(uid(1001)), east(40)));
    await view.user.click(await screen.findByRole('button', { name: 'Put it back' }));
    await waitFor(() => expect(view.placeOf(uid(1001))).toEqual(at));
    expect(view.moved).toHaveLength(1);
  });
});

describe('a device that somebody else moved meanwhile', () => {
  const theirs = east(-30);
  const conflict = new Failure(409, 'Somebody else moved A1 meanwhile.', {
    code: 'conflict',
    field: 'devices',
    current: { devices: [{ id: uid(1001), name: 'A1', place: theirs }] },
  });
  const begin = async () => {
    const view = open([conflict]);
    drag(await start(view), A1, 40);
    const dialog = within(
      await screen.findByRole('dialog', { name: 'Somebody else changed this meanwhile' }),
    );
    expect(dialog.getByRole('group', { name: 'Location of A1' })).toBeTruthy();
    return { ...view, dialog };
  };

  test('goes where one chooses', async () => {
    const { user, dialog, moved } = await begin();
    await user.click(dialog.getByRole('radio', { name: /Mine/ }));
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(moved).toHaveLength(2));
    expect(moved[1]?.devices[0]).toMatchObject({ from: theirs, to: moved[0]?.devices[0]?.to });
  });

  test('stays where they put it', async () => {
    const { user, dialog, moved, placeOf } = await begin();
    await user.click(dialog.getByRole('radio', { name: /Theirs/ }));
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(placeOf(uid(1001))).toEqual(at));
    expect(moved).toHaveLength(1);
  });
});

describe('who may move what', () => {
  test('nobody who may only read', async () => {
    const view = open([], {}, presets.guest);
    fireEvent.click(await findMap(), { clientX: A1.x, clientY: A1.y });
    fireEvent.click(await screen.findByRole('button', { name: 'More for A1' }));
    await screen.findByRole('menu');
    expect(screen.queryByRole('menuitem', { name: /Move/ })).toBeNull();
    expect(view.moved).toEqual([]);
  });

  test('a kind that one may not is said to stay', async () => {
    const shed = buildOther(1, 'Shed', east(-100));
    const view = open([], { gateways: [shed] }, { ...presets.guest, irrigationDevices: 5 });
    const map = await start(view);
    const there = { x: A1.x - 100, y: A1.y - BODY_UP_PX.gateway };
    drag(map, there, 40);
    tap(map, there);
    await screen.findByText('You may not move gateways on this farm.');
    expect(view.moved).toEqual([]);
  });

  test('a failure puts it back and says why', async () => {
    const view = open([new Failure(404, 'This sprinkler is no longer on the farm.')]);
    drag(await start(view), A1, 40);
    await screen.findByText('A1 could not be moved: This sprinkler is no longer on the farm.');
    await waitFor(() => expect(view.placeOf(uid(1001))).toEqual(at));
  });
});
