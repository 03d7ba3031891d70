import { act, fireEvent, render, screen } from '@testing-library/react';
import { MantineProvider } from '@mantine/core';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { Tip } from './tip.tsx';
import { TipsShown } from './tips-shown.ts';

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const show = (isShown: boolean) => {
  render(
    <MantineProvider env="test">
      <TipsShown value={isShown}>
        <Tip label="Usage">
          <button type="button">%</button>
        </Tip>
      </TipsShown>
    </MantineProvider>,
  );
  return screen.getByRole('button');
};

// Its code comes when first wanted, in its own time; the tests' clock stands still.
beforeAll(() => import('./open-tooltip.tsx'));
beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('a tooltip', () => {
  test('opens on a press of 400 ms, stays 5 s, and not after a tap', async () => {
    const button = show(true);
    fireEvent.touchStart(button);
    await pass(399);
    fireEvent.touchEnd(button);
    await pass(1000);
    expect(screen.queryByRole('tooltip')).toBeNull();
    fireEvent.touchStart(button);
    await pass(400);
    fireEvent.touchEnd(button);
    expect(screen.getByRole('tooltip').textContent).toBe('Usage');
    await pass(4999);
    expect(screen.getByRole('tooltip')).toBeTruthy();
    await pass(1);
    expect(screen.queryByRole('tooltip')).toBeNull();
  });

  test('stays away from people who switched tooltips off', async () => {
    const button = show(false);
    fireEvent.touchStart(button);
    await pass(1000);
    expect(screen.queryByRole('tooltip')).toBeNull();
  });
});
