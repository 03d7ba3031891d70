import { act, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { SeesNothing } from '../testing/in-sight.ts';
import { renderChart } from './chart-fixtures.tsx';
import { warmCharts } from './chart.tsx';

test('a chart out of sight is drawn for the paper, before the browser goes on', async () => {
  vi.stubGlobal('IntersectionObserver', SeesNothing);
  renderChart();
  const area = screen.getByRole('img', { name: 'Level of Top tank' }).parentElement;
  warmCharts();
  await act(() => vi.dynamicImportSettled());
  expect(area?.getAttribute('aria-busy')).toBe('true');
  dispatchEvent(new Event('beforeprint'));
  expect(area?.getAttribute('aria-busy')).toBe('false');
});
