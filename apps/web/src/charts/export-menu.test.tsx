import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { Kit } from '../ui/kit-provider.tsx';
import { Chart } from './chart.tsx';

test('a chart offers its pictures with the first press, and gives the focus back to its button', async () => {
  render(
    <Kit>
      <Chart
        label="Level of Top tank"
        summary="No values."
        option={() => ({})}
        table={() => ({ head: ['Time'], rows: [] })}
        fileName="Top-tank"
      />
    </Kit>,
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Export' }));
  const items = await screen.findAllByRole('menuitem');
  expect(items.map(({ textContent }) => textContent)).toEqual(['PNG', 'JPG', 'SVG']);
  await user.keyboard('{Escape}');
  await expect.poll(() => screen.queryAllByRole('menuitem')).toEqual([]);
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Export' }));
});
