import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { lazyPart } from './lazy-part.tsx';

const MISSING = new TypeError('Failed to fetch dynamically imported module: /assets/history-tab.js');

/** A part whose code comes at the given try; before that the error is thrown. */
function comesAt(nth: number, error: Error) {
  const tried = { times: 0 };
  const Part = lazyPart<{ name: string }>(
    async () => {
      tried.times += 1;
      if (tried.times < nth) throw error;
      return ({ name }) => <p>History of {name}</p>;
    },
    { failed: "The history couldn't be loaded", waiting: <p>Waiting</p> },
  );
  return { Part, tried };
}
const retry = () => userEvent.click(screen.getByRole('button', { name: 'Retry' }));

test('a part whose code does not come says so in its place, and the page around it stays', async () => {
  const { Part, tried } = comesAt(3, MISSING);
  render(
    <>
      <h1>Line 3</h1>
      <Part name="A12" />
    </>,
  );
  expect(screen.getByText('Waiting')).toBeTruthy();
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe(
    "The history couldn't be loadedThis part of the app didn't arrive. Please check the connection and try again.Retry",
  );
  expect(screen.getByRole('heading', { name: 'Line 3' })).toBeTruthy();
  expect(tried.times).toBe(1);
  await retry();
  expect(await screen.findByRole('alert')).toBeTruthy();
  await retry();
  expect(await screen.findByText('History of A12')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(tried.times).toBe(3);
});

test('one that comes but breaks is not said to be a matter of the connection', async () => {
  const { Part } = comesAt(2, new ReferenceError('x is not defined'));
  render(<Part name="A12" />);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe("The history couldn't be loadedOops, something went wrong.Retry");
});

test('where it came once it is there at once, in another place too', async () => {
  const { Part, tried } = comesAt(1, MISSING);
  render(<Part name="A12" />);
  expect(await screen.findByText('History of A12')).toBeTruthy();
  render(<Part name="A13" />);
  expect(screen.getByText('History of A13')).toBeTruthy();
  expect(tried.times).toBe(1);
});
