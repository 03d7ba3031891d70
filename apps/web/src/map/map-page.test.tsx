import { MantineProvider } from '@mantine/core';
import { createEvent, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MapPage } from './map-page.tsx';
import type { SheetHeight } from './map-sheet.ts';

const PHONE = '(max-width: 767.98px)';
const LOW = '(max-height: 479.98px)';
let windowIs: readonly string[];
beforeEach(() => {
  windowIs = [PHONE];
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: windowIs.includes(query),
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
  }));
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(700);
  // The tests' window has none.
  HTMLElement.prototype.setPointerCapture = () => undefined;
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const pressed = vi.fn<() => void>();
const shown = vi.fn<(height: SheetHeight) => void>();
function Page() {
  const [height, setHeight] = useState<SheetHeight>('summary');
  shown(height);
  return (
    <MapPage
      title="Sprinklers"
      panel={<input aria-label="Search" />}
      counts={<button onClick={pressed}>8 Out of Contact</button>}
      height={height}
      onHeight={setHeight}
    >
      <button>Zoom in</button>
    </MapPage>
  );
}
const open = () => {
  render(<Page />, { wrapper: MantineProvider });
  return userEvent.setup();
};
const height = () => shown.mock.lastCall?.[0];
const button = (name: string) => screen.getByRole('button', { name });
const list = () => screen.queryByRole('textbox', { name: 'Search' });
/** A finger on the counts goes up by so much in 200 ms, and leaves after it has rested for so long, ms. */
function drawUp(px: number, restedMs = 200): void {
  const counts = button('8 Out of Contact');
  const at = (type: 'pointerDown' | 'pointerMove' | 'pointerUp', ms: number, up: number) => {
    const place = { pointerId: 1, isPrimary: true, button: 0, clientY: 800 - up, bubbles: true };
    const event = createEvent[type](counts, place);
    Object.defineProperty(event, 'timeStamp', { value: 1000 + ms });
    fireEvent(counts, event);
  };
  at('pointerDown', 0, 0);
  for (const ms of [50, 100, 150, 200]) at('pointerMove', ms, (px * ms) / 200);
  at('pointerUp', 200 + restedMs, px);
  fireEvent.click(counts);
}

describe('the list over a map, on a phone', () => {
  test('comes half, then whole, and goes at once; the buttons and the focus stay where they are', async () => {
    const user = open();
    expect(list()).toBeNull();
    expect(button('Map').getAttribute('aria-disabled')).toBe('true');
    await user.tab();
    await user.tab();
    await user.tab();
    expect(document.activeElement).toBe(button('List'));
    await user.keyboard('{Enter}');
    expect([height(), list() !== null]).toEqual(['half', true]);
    expect(document.activeElement).toBe(button('Whole list'));
    await user.keyboard('{Enter}');
    expect(height()).toBe('full');
    expect(document.activeElement).toBe(button('List'));
    expect(button('List').getAttribute('aria-disabled')).toBe('true');
    await user.click(button('Map'));
    expect([height(), list()]).toEqual(['summary', null]);
  });

  test('covers the map whole only where it is whole: what is under it is not reached then', async () => {
    const user = open();
    const map = () => button('Zoom in').closest('[inert]');
    await user.click(button('List'));
    expect(map()).toBeNull();
    await user.click(button('Whole list'));
    expect(screen.getByText('Zoom in').closest('[inert]')).not.toBeNull();
  });

  test.each<[number, SheetHeight]>([
    [0, 'summary'],
    [100, 'summary'],
    [300, 'half'],
    [690, 'full'],
  ])('drawn up by %i px is then: %s', (px, rest) => {
    open();
    drawUp(px);
    expect(height()).toBe(rest);
  });

  test('is half after a fling, however short', () => {
    open();
    drawUp(120, 0);
    expect(height()).toBe('half');
  });

  test('is drawn by the counts, and a finger that draws presses none of them', () => {
    pressed.mockClear();
    open();
    drawUp(300);
    expect(pressed).not.toHaveBeenCalled();
    drawUp(-300);
    expect(height()).toBe('summary');
    drawUp(3);
    expect(pressed).toHaveBeenCalledTimes(1);
  });

  test('is whole while somebody types: the keyboard has the lower half', async () => {
    const user = open();
    await user.click(button('List'));
    await user.click(screen.getByRole('textbox', { name: 'Search' }));
    expect(height()).toBe('full');
    expect(document.activeElement).toBe(list());
  });

  test('is whole or not there in a window that is too low for half of each', async () => {
    windowIs = [PHONE, LOW];
    const user = open();
    await user.click(button('List'));
    expect(height()).toBe('full');
  });
});

test('beside a map on a wide screen the list is always there', () => {
  windowIs = [];
  open();
  expect(list()).not.toBeNull();
  expect(screen.queryByRole('button', { name: 'List' })).toBeNull();
});
