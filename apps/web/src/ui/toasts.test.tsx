import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ToastHost } from './toast-host.tsx';
import { toast } from './toasts.ts';

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

beforeEach(() => {
  vi.useFakeTimers();
  render(<ToastHost />);
});
afterEach(() => vi.useRealTimers());

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
