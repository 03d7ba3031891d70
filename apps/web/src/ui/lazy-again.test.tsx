import { Suspense } from 'react';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { lazyAgain } from './lazy-again.ts';

test('what could not be loaded is asked for again when it is drawn the next time', async () => {
  let tries = 0;
  const list = lazyAgain<{ count: number }>(
    async () => {
      tries += 1;
      if (tries === 1) throw new TypeError('Failed to fetch');
      return ({ count }) => <p>The {count} alerts</p>;
    },
    ({ count }) => <p>{count} open alerts</p>,
  );
  function Page() {
    const List = list.current;
    return (
      <Suspense>
        <List count={3} />
      </Suspense>
    );
  }
  const { rerender } = render(<Page />);
  expect(await screen.findByText('3 open alerts')).toBeTruthy();
  rerender(<Page />);
  expect(await screen.findByText('The 3 alerts')).toBeTruthy();
  expect(tries).toBe(2);
});
