import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { RadioDay } from '@headrace/contract/radio-health';
import { Kit } from '../../ui/kit-provider.tsx';
import { RadioPanel } from './radio-panel.tsx';
import { radioQuery } from './radio.queries.ts';

const build = (day: string, over: Partial<RadioDay> = {}): RadioDay => ({
  day,
  answered: 90,
  silent: 10,
  triedUnits: 100,
  tries: 130,
  busyS: 450,
  busyUnits: 50,
  hopsUnits: 10,
  hops: 24,
  ...over,
});
function show(days: RadioDay[]) {
  const queryClient = new QueryClient();
  queryClient.setQueryData(radioQuery('g').queryKey, { days });
  render(
    <QueryClientProvider client={queryClient}>
      <Kit>
        <RadioPanel gateway="g" />
      </Kit>
    </QueryClientProvider>,
  );
}
const rows = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    );

test('the radio is told by month, and by day', async () => {
  show([build('2026-10-31', { answered: 100, silent: 0, triedUnits: 0, tries: 0 }), build('2026-11-01')]);
  expect(rows()).toEqual([
    ['100', '90.0 %', '1.30', '9.0', '2.4'],
    ['100', '100.0 %', '–', '9.0', '2.4'],
  ]);
  expect(screen.getAllByRole('rowheader')).toHaveLength(2);
  await userEvent.click(screen.getByRole('radio', { name: 'Days' }));
  expect(screen.getByRole('columnheader', { name: 'Day' })).toBeTruthy();
});

test('a radio of which nothing is known says so', () => {
  show([]);
  expect(screen.getByText('Nothing is known of its radio yet')).toBeTruthy();
});
