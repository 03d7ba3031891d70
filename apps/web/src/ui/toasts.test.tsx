import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ToastHost } from './toast-host.tsx';
import { toast } from './toasts.ts';

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

beforeEach(() => {
  vi.useFakeTimers();
  render(<ToastHost />);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Boxes of elements on a phone, by their label or text; [left, top, width, height] px. */
function layOut(boxes: Readonly<Record<string, readonly [number, number, number, number]>>) {
  vi.spyOn(document.documentElement, 'clientWidth', 'get').mockReturnValue(390);
  vi.stubGlobal('innerHeight', 844);
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    return new DOMRect(...(boxes[this.getAttribute('aria-label') ?? this.textContent] ?? []));
  });
}

test('a message of what was sent stands below how far that is, in its dialog on a phone', async () => {
  layOut({
    Messages: [12, 66, 366, 85],
    'How far it is': [16, 76, 358, 318],
    'Cancel command': [32, 287, 326, 44],
    Close: [16, 427, 358, 44],
  });
  render(
    <div role="dialog" aria-modal="true">
      <div role="region" aria-label="How far it is">
        <p>2 of 300 done</p>
        <button type="button">Cancel command</button>
      </div>
      <button type="button">Close</button>
    </div>,
  );
  act(() => void toast.success('Command successfully sent!'));
  // 8 px below Close, which ends at 471.
  expect(screen.getByRole('region', { name: 'Messages' }).style.top).toBe('479px');
});

describe('a message', () => {
  test.each([
    ['success', 6000],
    ['error', 10_000],
    ['action', 10_000],
    ['loading', 6000],
    ['live', 3000],
  ] as const)('of kind %s stays %d ms', async (kind, lasts) => {
    act(() => void toast[kind]('Hello'));
    await pass(lasts - 1);
    expect(screen.getByText('Hello')).toBeTruthy();
    await pass(1);
    expect(screen.queryByText('Hello')).toBeNull();
  });

  test('that is a notice stays until it is closed', async () => {
    act(() => void toast.notice('Hello', { id: 'x' }));
    await pass(3_600_000);
    expect(screen.getByText('Hello')).toBeTruthy();
    act(() => toast.close('x'));
    expect(screen.queryByText('Hello')).toBeNull();
  });

  test('of an id that is shown takes its place, with its own time', async () => {
    act(() => void toast.loading('Sending', { id: 'x' }));
    await pass(5000);
    act(() => void toast.success('Sent', { id: 'x' }));
    expect(screen.queryByText('Sending')).toBeNull();
    await pass(5999);
    expect(screen.getByText('Sent')).toBeTruthy();
    await pass(1);
    expect(screen.queryByText('Sent')).toBeNull();
  });

  test('waits while it is pointed at', async () => {
    act(() => void toast.success('Hello'));
    const card = screen.getByRole('status');
    fireEvent.pointerEnter(card);
    await pass(60_000);
    expect(screen.getByText('Hello')).toBeTruthy();
    fireEvent.pointerLeave(card);
    await pass(6000);
    expect(screen.queryByText('Hello')).toBeNull();
  });

  test('that tells a failure interrupts a screen reader, others wait', () => {
    act(() => void [toast.error('Bad'), toast.success('Good')]);
    expect(screen.getByRole('alert').textContent).toBe('Bad');
    expect(screen.getByRole('status').textContent).toBe('Good');
  });
});
