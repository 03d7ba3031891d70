import { useState } from 'react';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { lazyDialog } from './lazy-dialog.tsx';
import { toast, useToasts } from './toasts.ts';

afterEach(toast.clear);

interface DialogProps {
  isOpen?: boolean;
  onClose: () => void;
}

/** Its code doesn't come at the first try. */
function failsOnce() {
  const tried = { times: 0 };
  const Dialog = lazyDialog<DialogProps>(async () => {
    tried.times += 1;
    if (tried.times === 1) throw new TypeError('Failed to fetch dynamically imported module');
    return ({ isOpen = true }) => isOpen && <p>Poll the farm?</p>;
  });
  return { Dialog, tried };
}

const Toasts = () => useToasts().map(({ id, text }) => <p key={id}>{text}</p>);
const press = () => userEvent.click(screen.getByRole('button', { name: 'Poll' }));

test('a dialog whose code does not come says so, leaves its page, and opens the next time', async () => {
  const { Dialog } = failsOnce();
  function Page() {
    const [isOpen, setIsOpen] = useState(false);
    return (
      <>
        <button onClick={() => setIsOpen(true)}>Poll</button>
        <p>{isOpen ? 'asked' : 'not asked'}</p>
        {isOpen && <Dialog onClose={() => setIsOpen(false)} />}
        <Toasts />
      </>
    );
  }
  render(<Page />);
  await press();
  expect(await screen.findByText(/^That couldn't be loaded\./)).toBeTruthy();
  expect(screen.getByText('not asked')).toBeTruthy();
  await press();
  expect(await screen.findByText('Poll the farm?')).toBeTruthy();
});

test('one that stays on its page while it is closed is tried again with the next opening, and not before', async () => {
  const { Dialog, tried } = failsOnce();
  function Page() {
    const [isOpen, setIsOpen] = useState(false);
    const [wasOpen, setWasOpen] = useState(false);
    if (isOpen && !wasOpen) setWasOpen(true);
    return (
      <>
        <button onClick={() => setIsOpen(true)}>Poll</button>
        <p>{isOpen ? 'asked' : 'not asked'}</p>
        {wasOpen && <Dialog isOpen={isOpen} onClose={() => setIsOpen(false)} />}
        <Toasts />
      </>
    );
  }
  render(<Page />);
  await press();
  await waitFor(() => expect(screen.getByText('not asked')).toBeTruthy());
  expect(screen.getAllByText(/^That couldn't be loaded\./)).toHaveLength(1);
  expect(tried.times).toBe(1);
  await press();
  expect(await screen.findByText('Poll the farm?')).toBeTruthy();
  expect(tried.times).toBe(2);
});

test('one that is closed by an answer gets the one that loses nothing', async () => {
  const Leave = lazyDialog<{ onAnswer: (isSure: boolean) => void }>(
    async () => {
      throw new TypeError('Failed to fetch dynamically imported module');
    },
    ({ onAnswer }) => onAnswer(false),
  );
  const answers: boolean[] = [];
  render(
    <>
      <Leave onAnswer={(isSure) => answers.push(isSure)} />
      <Toasts />
    </>,
  );
  expect(await screen.findByText(/^That couldn't be loaded\./)).toBeTruthy();
  expect(answers).toEqual([false]);
});
