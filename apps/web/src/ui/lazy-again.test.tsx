import { Suspense } from 'react';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { lazyAgain } from './lazy-again.ts';

test('a style sheet that failed is taken out of the page, so that the next try asks for it', async () => {
  const missing = document.head.appendChild(document.createElement('link'));
  missing.href = 'http://headrace.test/assets/history-1.css';
  const other = document.head.appendChild(document.createElement('link'));
  other.href = 'http://headrace.test/assets/history-10.css';
  const list = lazyAgain<object>(
    () => Promise.reject(new Error(`Unable to preload CSS for ${missing.href}`)),
    () => <p>The table</p>,
  );
  const List = list.current;
  render(
    <Suspense>
      <List />
    </Suspense>,
  );
  expect(await screen.findByText('The table')).toBeTruthy();
  expect([missing.isConnected, other.isConnected]).toEqual([false, true]);
  other.remove();
});

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
