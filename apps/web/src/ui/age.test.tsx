import { act, fireEvent, render, screen } from '@testing-library/react';
import { MantineProvider } from '@mantine/core';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Age, type AgeProps } from './age.tsx';

const NOW = Date.parse('2026-11-21T05:00:00Z');
const zone = { timeZoneId: 'Pacific/Auckland', rawOffset: 43_200, dstOffset: 3600, dstEnabled: true };
const show = async (props: AgeProps) => {
  render(
    <MantineProvider env="test">
      <Age {...props} />
    </MantineProvider>,
  );
  await act(async () => undefined);
};

beforeEach(() => vi.useFakeTimers({ now: NOW }));
afterEach(() => vi.useRealTimers());

describe('an age', () => {
  test('renews itself', async () => {
    await show({ at: NOW - 30_000 });
    expect(screen.getByText('just now')).toBeTruthy();
    await act(() => vi.advanceTimersByTimeAsync(40_000));
    expect(screen.getByText('1 min ago')).toBeTruthy();
  });

  test('older than its limit is stale, and not before', async () => {
    await show({ at: NOW - 60_000, staleAfter: 60_000 });
    expect(screen.getByText('1 min ago').dataset.stale).toBeUndefined();
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(screen.getByText('1 min ago').dataset.stale).toBe('true');
  });

  test('of what never was says never', async () => {
    await show({ at: null, never: 'No contact yet' });
    expect(screen.getByText('No contact yet').tagName).toBe('SPAN');
  });

  test('shows its exact time on the farm clock while it is pointed at', async () => {
    vi.useRealTimers();
    await show({ at: '2026-11-21T04:54:00Z', zone });
    const age = screen.getByRole('time');
    fireEvent.pointerEnter(age.parentElement ?? age, { pointerType: 'mouse' });
    expect((await screen.findByRole('tooltip')).textContent).toContain('17:54 NZDT');
    fireEvent.pointerLeave(age.parentElement ?? age, { pointerType: 'mouse' });
    expect(screen.queryByRole('tooltip')).toBeNull();
  });

  test('shows its exact time after a press of 400 ms, for 5 s, and not after a tap', async () => {
    await show({ at: '2026-11-21T04:54:00Z', zone });
    const target = screen.getByRole('time').parentElement;
    if (!target) throw new Error('An age stands in nothing');
    fireEvent.touchStart(target);
    await act(() => vi.advanceTimersByTimeAsync(300));
    fireEvent.touchEnd(target);
    await act(() => vi.advanceTimersByTimeAsync(1000));
    expect(screen.queryByRole('tooltip')).toBeNull();
    fireEvent.touchStart(target);
    await act(() => vi.advanceTimersByTimeAsync(400));
    fireEvent.touchEnd(target);
    expect(screen.getByRole('tooltip')).toBeTruthy();
    await act(() => vi.advanceTimersByTimeAsync(5000));
    expect(screen.queryByRole('tooltip')).toBeNull();
  });

  test('over the link of a whole card: a tap goes there, the end of a press does not, nor a tap over anything else', async () => {
    await show({ at: '2026-11-21T04:54:00Z', zone });
    const age = screen.getByRole('time');
    const link = document.createElement('a');
    const opened = vi.fn();
    link.addEventListener('click', opened);
    document.body.append(link);
    const below = vi.spyOn(document, 'elementsFromPoint').mockReturnValue([age, link, document.body]);
    fireEvent.click(age);
    expect(opened).toHaveBeenCalledTimes(1);
    fireEvent.touchStart(age);
    await act(() => vi.advanceTimersByTimeAsync(400));
    fireEvent.click(age);
    expect(opened).toHaveBeenCalledTimes(1);
    await act(() => vi.advanceTimersByTimeAsync(5000));
    // A dialog's own age, over the page's cards.
    below.mockReturnValue([age, document.body, link]);
    fireEvent.click(age);
    expect(opened).toHaveBeenCalledTimes(1);
    below.mockRestore();
    link.remove();
  });
});
