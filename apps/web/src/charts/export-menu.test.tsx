import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { renderChart } from './chart-fixtures.tsx';

test('a chart offers its pictures with the first press, and gives the focus back to its button', async () => {
  renderChart();
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Export' }));
  const items = await screen.findAllByRole('menuitem');
  expect(items.map(({ textContent }) => textContent)).toEqual(['PNG', 'JPG', 'SVG']);
  await user.keyboard('{Escape}');
  await expect.poll(() => screen.queryAllByRole('menuitem')).toEqual([]);
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Export' }));
});

test('a picture is saved under a name that every system takes', async () => {
  const names: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  renderChart({ fileName: 'Māori Pā: north/2_Level_2026-11-21' });
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Export' }));
  await user.click(await screen.findByRole('menuitem', { name: 'PNG' }));
  await waitFor(() => expect(names).toEqual(['Māori-Pā-north-2_Level_2026-11-21.png']));
  vi.restoreAllMocks();
});
