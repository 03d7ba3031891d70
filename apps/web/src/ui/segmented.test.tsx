import { useState } from 'react';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { Segmented } from './segmented.tsx';

function Units() {
  const [unit, setUnit] = useState<'lps' | 'Day'>('lps');
  return (
    <Segmented
      aria-label="Unit"
      value={unit}
      onChange={setUnit}
      data={[{ value: 'lps', label: 'L/s' }, 'Day']}
    />
  );
}

test('one of a few is chosen, by a press or with the arrow keys', async () => {
  render(<Units />);
  const group = within(screen.getByRole('radiogroup', { name: 'Unit' }));
  const chosen = () => group.getByRole('radio', { checked: true });
  expect(chosen()).toBe(group.getByRole('radio', { name: 'L/s' }));
  await userEvent.click(screen.getByText('Day'));
  expect(chosen()).toBe(group.getByRole('radio', { name: 'Day' }));
  await userEvent.keyboard('{ArrowLeft}');
  expect(chosen()).toBe(group.getByRole('radio', { name: 'L/s' }));
  expect(document.activeElement).toBe(chosen());
});

test('two of them on a page do not share a choice', async () => {
  render(
    <>
      <Units />
      <Units />
    </>,
  );
  const [first, second] = screen.getAllByRole('radio', { name: 'Day' });
  await userEvent.click(first as HTMLElement);
  expect((first as HTMLInputElement).checked).toBe(true);
  expect((second as HTMLInputElement).checked).toBe(false);
});
