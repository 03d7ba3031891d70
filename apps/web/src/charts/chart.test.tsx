import { act, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { SeesNothing } from '../testing/in-sight.ts';
import { renderChart } from './chart-fixtures.tsx';

afterEach(() => vi.restoreAllMocks());

test('a chart out of sight is drawn for the paper, before the browser goes on', async () => {
  vi.stubGlobal('IntersectionObserver', SeesNothing);
  vi.stubGlobal('requestIdleCallback', (run: () => void) => run());
  renderChart();
  const area = screen.getByRole('img', { name: 'Level of Top tank' }).parentElement;
  await act(() => vi.dynamicImportSettled());
  expect(area?.getAttribute('aria-busy')).toBe('true');
  dispatchEvent(new Event('beforeprint'));
  expect(area?.getAttribute('aria-busy')).toBe('false');
});

test('a chart on a dark screen is drawn light on paper, and dark again after it', async () => {
  vi.stubGlobal('IntersectionObserver', SeesNothing);
  vi.stubGlobal('requestIdleCallback', (run: () => void) => run());
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(640);
  localStorage.setItem('mantine-color-scheme-value', 'dark');
  const option = vi.fn(() => ({}));
  renderChart({ option });
  await act(() => vi.dynamicImportSettled());
  dispatchEvent(new Event('beforeprint'));
  expect(option).toHaveBeenLastCalledWith({ width: 640, scheme: 'light' });
  act(() => void dispatchEvent(new Event('afterprint')));
  expect(option).toHaveBeenLastCalledWith({ width: 640, scheme: 'dark' });
});
