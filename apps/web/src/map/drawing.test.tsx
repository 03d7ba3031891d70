import { MantineProvider } from '@mantine/core';
import { createEvent, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import L from 'leaflet';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import type { LatLng } from '@headrace/contract/schemas';
import { BoundaryEditor } from './boundary-editor.tsx';
import { stubCanvas } from './fake-canvas.ts';
import { FarmMap } from './farm-map.tsx';
import { LassoSelect } from './lasso-select.tsx';
import { LocationPicker } from './location-picker.tsx';
import type { MapMarker } from './marker.ts';
import { findMap } from '../testing/find-map.ts';

beforeEach(stubCanvas);
afterEach(() => vi.restoreAllMocks());

/** At zoom 16 on the equator a pixel is 360 / (256 * 2^16) = 0.0000214577 degrees; the middle is at 0, 0. */
const EQUATOR = { centre: { lat: 0, lng: 0 }, zoom: 16 };
const DEGREES_PER_PX = 360 / (256 * 2 ** 16);
const placeAt = (x: number, y: number) => ({ lat: -y * DEGREES_PER_PX, lng: x * DEGREES_PER_PX });

/** With a size the map opens on what it shows, at zoom 16 with the middle of 1,000 px at 0, 0. */
const MIDDLE = 500;
function giveSize(): void {
  for (const side of ['clientWidth', 'clientHeight'] as const)
    vi.spyOn(HTMLElement.prototype, side, 'get').mockReturnValue(2 * MIDDLE);
}

const map = findMap;
async function press(type: 'pointerDown' | 'pointerMove' | 'pointerUp', x: number, y: number): Promise<void> {
  const target = await map();
  fireEvent[type](target, {
    clientX: x,
    clientY: y,
    pointerId: 1,
    isPrimary: true,
    button: 0,
    bubbles: true,
  });
}
async function tap(x: number, y: number): Promise<void> {
  await press('pointerDown', x, y);
  await press('pointerUp', x, y);
  fireEvent.click(await map(), { clientX: x, clientY: y });
}
/** At a time of its own, ms; `count`: which of a double click it is, where the browser counts. */
async function tapAt(ms: number, x: number, y: number, count = 0): Promise<void> {
  await press('pointerDown', x, y);
  await press('pointerUp', x, y);
  const click = createEvent.click(await map(), { clientX: x, clientY: y, detail: count });
  Object.defineProperty(click, 'timeStamp', { value: ms });
  fireEvent(await map(), click);
}
async function drag(from: [number, number], to: [number, number]): Promise<void> {
  await press('pointerDown', ...from);
  await press('pointerMove', (from[0] + to[0]) / 2, (from[1] + to[1]) / 2);
  await press('pointerMove', ...to);
  await press('pointerUp', ...to);
  fireEvent.click(await map(), { clientX: to[0], clientY: to[1] });
}
function expectPlace(place: LatLng | null | undefined, x: number, y: number): void {
  expect(place?.lat).toBeCloseTo(placeAt(x, y).lat, 5);
  expect(place?.lng).toBeCloseTo(placeAt(x, y).lng, 5);
}

describe('the boundary editor', () => {
  let boundary: readonly LatLng[] = [];
  let pin: LatLng | null = null;
  beforeEach(() => {
    boundary = [];
  });
  function Editor({ startPin = null }: { startPin?: LatLng | null }) {
    const [ring, setRing] = useState<readonly LatLng[]>([]);
    const [at, setAt] = useState<LatLng | null>(startPin);
    return (
      <MantineProvider>
        <BoundaryEditor
          {...EQUATOR}
          label="Map of the farm"
          pin={at}
          onPinChange={(next) => {
            pin = next;
            setAt(next);
          }}
          boundary={ring}
          onBoundaryChange={(next) => {
            boundary = next;
            setRing(next);
          }}
        />
      </MantineProvider>
    );
  }
  async function openDrawing() {
    const user = userEvent.setup();
    render(<Editor />);
    await map();
    await user.click(screen.getByRole('radio', { name: 'Drawable' }));
    return user;
  }
  test('brings a boundary that comes from elsewhere into view, and stays where one draws', async () => {
    giveSize();
    const views = vi.spyOn(L.Map.prototype, 'flyTo');
    const corners = [
      { lat: -43.7, lng: 172 },
      { lat: -43.7, lng: 172.1 },
      { lat: -43.8, lng: 172.1 },
    ];
    function Pasted() {
      const [ring, setRing] = useState<readonly LatLng[]>([]);
      return (
        <MantineProvider>
          <BoundaryEditor
            {...EQUATOR}
            label="Map of the farm"
            pin={null}
            onPinChange={() => undefined}
            boundary={ring}
            onBoundaryChange={setRing}
            mode="Drawable"
          />
          <button type="button" onClick={() => setRing(corners)}>
            Paste
          </button>
        </MantineProvider>
      );
    }
    render(<Pasted />);
    await map();
    await tap(MIDDLE, MIDDLE);
    await tap(MIDDLE + 100, MIDDLE);
    expect(views).not.toHaveBeenCalled();
    await userEvent.click(screen.getByRole('button', { name: 'Paste' }));
    const [centre] = views.mock.calls[0] as [LatLng, number];
    // The middle of what the buttons on the map leave free.
    expect(centre.lat).toBeCloseTo(-43.75, 1);
    expect(centre.lng).toBeCloseTo(172.05, 1);
  });

  const drawSquare = async () => {
    for (const [x, y] of [
      [0, 0],
      [200, 0],
      [200, 200],
      [0, 200],
    ] as const)
      await tap(x, y);
  };

  it('draws by taps, says the area while it does, and closes on the first point', async () => {
    await openDrawing();
    await tap(0, 0);
    await tap(200, 0);
    expect(screen.getByText('Tap the next corner: a boundary needs at least 3 points.')).toBeTruthy();
    await tap(200, 200);
    await tap(0, 200);
    expect(boundary).toHaveLength(4);
    expectPlace(boundary[2], 200, 200);
    // 0.004292 degrees each way: 477.78 m x 474.58 m on WGS 84, 226,749 m², kept to 10 m² as 22.675 ha.
    expect(screen.getByText(/ ha$/).textContent).toBe('22.68 ha');
    await tap(2, 3);
    expect(screen.getByRole('button', { name: 'Add points' })).toBeTruthy();
    await tap(400, 300);
    expect(boundary).toHaveLength(4);
  });

  it('adds one corner by a double tap, and one each by taps at different places, however quick', async () => {
    await openDrawing();
    await tapAt(1000, 0, 0);
    await tapAt(1300, 15, 15);
    expect(boundary).toHaveLength(1);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Delete point' }).disabled).toBe(true);
    await tapAt(1400, 200, 0);
    await tapAt(1500, 200, 200);
    expect(boundary).toHaveLength(3);
  });

  it('says at once that it crosses itself, while a corner is being dragged', async () => {
    const user = await openDrawing();
    await drawSquare();
    await user.click(screen.getByRole('button', { name: 'Finish' }));
    await press('pointerDown', 200, 200);
    await press('pointerMove', -100, 100);
    expect(
      await screen.findByText('The boundary crosses or touches itself: move its points apart.'),
    ).toBeTruthy();
    expect(screen.getByText('– ha')).toBeTruthy();
    expectPlace(boundary[2], 200, 200);
    await press('pointerMove', 300, 300);
    await press('pointerUp', 300, 300);
    expectPlace(boundary[2], 300, 300);
    expect(screen.queryByText(/crosses or touches itself/)).toBeNull();
  });

  it('makes a corner of the middle of a side, and deletes the selected one', async () => {
    const user = await openDrawing();
    await drawSquare();
    await user.click(screen.getByRole('button', { name: 'Finish' }));
    await drag([100, 0], [100, -80]);
    expect(boundary).toHaveLength(5);
    expectPlace(boundary[1], 100, -80);
    await user.click(screen.getByRole('button', { name: 'Delete point' }));
    expect(boundary).toHaveLength(4);
    expectPlace(boundary[1], 200, 0);
  });

  it('takes steps back and does them again', async () => {
    const user = await openDrawing();
    await drawSquare();
    await user.click(screen.getByRole('button', { name: 'Clear' }));
    expect(boundary).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(boundary).toHaveLength(4);
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(boundary).toHaveLength(3);
    await user.click(screen.getByRole('button', { name: 'Redo' }));
    await user.click(screen.getByRole('button', { name: 'Redo' }));
    expect(boundary).toEqual([]);
    expect(screen.getByRole('button', { name: 'Redo' })).toHaveProperty('disabled', true);
  });

  it('is drawn by the keyboard, point by point', async () => {
    const user = await openDrawing();
    await user.click(screen.getByText('Points as numbers'));
    for (const pair of ['-43.75, 172.0', '-43.75, 172.01', '-43.76, 172.01']) {
      await user.click(await screen.findByRole('textbox', { name: 'Latitude of the new point' }));
      await user.paste(pair);
      await user.keyboard('{Enter}');
    }
    expect(boundary).toEqual([
      { lat: -43.75, lng: 172 },
      { lat: -43.75, lng: 172.01 },
      { lat: -43.76, lng: 172.01 },
    ]);
    const field = screen.getByRole('textbox', { name: 'Longitude of point 2' });
    await user.clear(field);
    await user.type(field, '999{Enter}');
    expect(screen.getByText("Longitude can't be more than 180°.")).toBeTruthy();
    expect(boundary[1]?.lng).toBe(172.01);
    await user.click(screen.getByRole('button', { name: 'Delete point 1' }));
    expect(boundary).toHaveLength(2);
  });

  it('moves the pin by a tap, a drag, typed numbers and the phone', async () => {
    giveSize();
    const user = userEvent.setup();
    render(<Editor startPin={{ lat: 0, lng: 0 }} />);
    await map();
    // The pin's head stands 30 px above its tip; it is taken hold of there and keeps the distance.
    await drag([MIDDLE, MIDDLE - 30], [MIDDLE + 50, MIDDLE + 70]);
    expectPlace(pin, 50, 100);
    await tap(MIDDLE - 80, MIDDLE + 20);
    expectPlace(pin, -80, 20);
    const latitude = screen.getByRole('textbox', { name: 'Latitude' });
    await user.clear(latitude);
    await user.paste('-43.7512, 172.0234');
    await user.keyboard('{Enter}');
    expect(pin).toEqual({ lat: -43.7512, lng: 172.0234 });
    const getCurrentPosition = (found: PositionCallback) =>
      found({ coords: { latitude: -43.5, longitude: 172.5, accuracy: 7.4 } } as GeolocationPosition);
    Object.defineProperty(navigator, 'geolocation', { configurable: true, value: { getCurrentPosition } });
    await user.click(screen.getByRole('button', { name: 'My position' }));
    expect(pin).toEqual({ lat: -43.5, lng: 172.5 });
    expect(screen.getByText('Your position, right to about 8 m.')).toBeTruthy();
  });
});

test('a map of nothing yet shows New Zealand from far away', async () => {
  const view = vi.spyOn(L.Map.prototype, 'setView');
  const props = { label: 'Map of the farm', pin: null, boundary: [] };
  render(
    <MantineProvider>
      <BoundaryEditor {...props} onPinChange={() => undefined} onBoundaryChange={() => undefined} />
    </MantineProvider>,
  );
  await map();
  expect(view.mock.lastCall?.slice(0, 2)).toEqual([{ lat: -41.3, lng: 173.3 }, 5]);
});

test('a place that was chosen elsewhere comes into view, close enough to draw a farm there', async () => {
  const view = vi.spyOn(L.Map.prototype, 'setView');
  const methven = { lat: -43.633, lng: 171.65 };
  const editor = (lookAt: LatLng | null) => (
    <MantineProvider>
      <BoundaryEditor
        label="Map of the farm"
        pin={lookAt}
        boundary={[]}
        lookAt={lookAt}
        onPinChange={() => undefined}
        onBoundaryChange={() => undefined}
      />
    </MantineProvider>
  );
  const { rerender } = render(editor(null));
  await map();
  rerender(editor(methven));
  expect(view.mock.lastCall?.slice(0, 2)).toEqual([methven, 14]);
});

test('a position that is refused says how to allow it', async () => {
  const user = userEvent.setup();
  const getCurrentPosition = (_found: PositionCallback, failed: PositionErrorCallback) =>
    failed({ code: 1, PERMISSION_DENIED: 1 } as GeolocationPositionError);
  Object.defineProperty(navigator, 'geolocation', { configurable: true, value: { getCurrentPosition } });
  render(
    <MantineProvider>
      <LocationPicker
        {...EQUATOR}
        label="Location"
        value={null}
        onChange={() => undefined}
        shape="sprinkler"
      />
    </MantineProvider>,
  );
  await user.click(await screen.findByRole('button', { name: 'My position' }));
  expect(screen.getByText(/blocked: allow it for this site/)).toBeTruthy();
});

describe('the location picker', () => {
  let value: LatLng | null = null;
  function Picker({ start = null, isRequired = false }: { start?: LatLng | null; isRequired?: boolean }) {
    const [at, setAt] = useState<LatLng | null>(start);
    return (
      <MantineProvider>
        <LocationPicker
          {...EQUATOR}
          label="Location of A12"
          value={at}
          onChange={(next) => {
            value = next;
            setAt(next);
          }}
          shape="sprinkler"
          isRequired={isRequired}
        />
      </MantineProvider>
    );
  }
  it('sets a place with a tap and takes it away', async () => {
    const user = userEvent.setup();
    render(<Picker />);
    await map();
    expect(screen.queryByRole('button', { name: 'No location' })).toBeNull();
    await tap(40, 40);
    expectPlace(value, 40, 40);
    await user.click(screen.getByRole('button', { name: 'No location' }));
    expect(value).toBeNull();
  });
  it('drags the marker by its body', async () => {
    giveSize();
    render(<Picker start={{ lat: 0, lng: 0 }} isRequired />);
    await map();
    await drag([MIDDLE + 5, MIDDLE + 5], [MIDDLE + 105, MIDDLE + 5]);
    expectPlace(value, 100, 0);
    expect(screen.queryByRole('button', { name: 'No location' })).toBeNull();
  });
});

describe('choosing on the map', () => {
  const marker = (id: string, x: number, y: number): MapMarker => ({
    id,
    name: id,
    spoken: `Sprinkler ${id}`,
    shape: 'sprinkler',
    condition: 'ok',
    ...placeAt(x, y),
  });
  /** 200 px apart at zoom 16. The map opens at 18, and with room for its buttons: round 480, 502. */
  const markers = [
    marker('A1', -100, -100),
    marker('A2', 100, -100),
    marker('A3', -100, 100),
    marker('A4', 100, 100),
  ];
  const A2 = [880, 102] as const;
  let chosen: ReadonlySet<string> = new Set();
  function Lasso({ others }: { others?: typeof markers }) {
    const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
    return (
      <MantineProvider>
        <LassoSelect
          {...EQUATOR}
          label="Devices of North"
          markers={markers}
          others={others}
          placeless={[{ id: 'A5', name: 'A5', condition: 'ok', spoken: 'Sprinkler A5' }]}
          chosen={ids}
          onChange={(next) => {
            chosen = next;
            setIds(next);
          }}
        />
      </MantineProvider>
    );
  }
  beforeEach(() => {
    giveSize();
    chosen = new Set();
  });

  it('says how many inside a rectangle cannot be chosen', async () => {
    const user = userEvent.setup();
    render(<Lasso others={[marker('B1', -50, -100)]} />);
    await map();
    await user.click(screen.getByRole('button', { name: 'Rectangle' }));
    await drag([0, 0], [2 * MIDDLE, MIDDLE]);
    expect([...chosen].sort()).toEqual(['A1', 'A2']);
    expect(screen.getByText("2 devices added. 1 can't be chosen here.")).toBeTruthy();
  });

  it('adds and removes with a rectangle', async () => {
    const user = userEvent.setup();
    render(<Lasso />);
    await map();
    await user.click(screen.getByRole('button', { name: 'Rectangle' }));
    await drag([0, 0], [2 * MIDDLE, MIDDLE]);
    expect([...chosen].sort()).toEqual(['A1', 'A2']);
    expect(screen.getByText('2 devices added.')).toBeTruthy();
    await user.click(screen.getByRole('radio', { name: 'Remove' }));
    await drag([0, 0], [MIDDLE, 2 * MIDDLE]);
    expect([...chosen]).toEqual(['A2']);
  });

  it('adds freehand and with a polygon', async () => {
    const user = userEvent.setup();
    render(<Lasso />);
    await map();
    await user.click(screen.getByRole('button', { name: 'Lasso' }));
    await press('pointerDown', 500, 500);
    for (const [x, y] of [
      [1000, 500],
      [1000, 1000],
      [500, 1000],
    ] as const)
      await press('pointerMove', x, y);
    await press('pointerUp', 500, 510);
    expect([...chosen]).toEqual(['A4']);
    await user.click(screen.getByRole('button', { name: 'Polygon' }));
    for (const [x, y] of [
      [0, 0],
      [1000, 0],
      [1000, 500],
      [0, 500],
    ] as const)
      await tap(x, y);
    await user.click(screen.getByRole('button', { name: 'Finish' }));
    expect([...chosen].sort()).toEqual(['A1', 'A2', 'A4']);
  });

  it.each([
    ['a double tap chooses a device once', 300, 0, ['A2']],
    ['a slow double click as well, by which the map zooms', 450, 2, ['A2']],
    ['two taps choose it and let it go', 301, 0, []],
  ])('%s', async (_name, later, count, left) => {
    const user = userEvent.setup();
    render(<Lasso />);
    await map();
    await user.click(screen.getByRole('button', { name: 'Tap' }));
    await tapAt(1000, ...A2);
    expect([...chosen]).toEqual(['A2']);
    await tapAt(1000 + later, ...A2, count);
    expect([...chosen]).toEqual(left);
  });

  it('a double tap is one corner of a polygon', async () => {
    const user = userEvent.setup();
    render(<Lasso />);
    await map();
    await user.click(screen.getByRole('button', { name: 'Polygon' }));
    await tapAt(1000, 0, 0);
    await tapAt(2000, 1000, 0);
    await tapAt(2200, 1000, 0);
    expect(screen.queryByRole('button', { name: 'Finish' })).toBeNull();
    await tapAt(3000, 1000, 500);
    expect(screen.getByRole('button', { name: 'Finish' })).toBeTruthy();
  });

  it('of a map of devices is done once by a double click, that ends beside the device too', async () => {
    const selected: (string | null)[] = [];
    const props = { label: 'Farm', markers, boundary: [], selected: null };
    render(
      <MantineProvider>
        <FarmMap {...EQUATOR} {...props} onSelect={(id) => selected.push(id)} />
      </MantineProvider>,
    );
    await tapAt(1000, ...A2);
    await tapAt(1200, A2[0] + 15, A2[1] - 15);
    expect(selected).toEqual(['A2']);
    await tapAt(2000, MIDDLE, MIDDLE);
    expect(selected).toEqual(['A2', null]);
  });

  it('has a list for the keyboard, with those that have no place', async () => {
    const user = userEvent.setup();
    render(<Lasso />);
    await map();
    await user.click(screen.getByText('Devices as a list (1 without location)'));
    const list = within(await screen.findByRole('list', { name: 'Devices' }));
    await user.click(list.getByRole('checkbox', { name: 'Sprinkler A5' }));
    await user.click(list.getByRole('checkbox', { name: 'Sprinkler A2' }));
    expect([...chosen]).toEqual(['A5', 'A2']);
    await user.type(screen.getByRole('textbox', { name: 'Find a device by its name' }), 'a3');
    await waitFor(() => expect(list.getAllByRole('checkbox')).toHaveLength(1));
  });
});
