import { Suspense, useState } from 'react';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { lazyDialog } from './lazy-dialog.ts';
import { useToasts } from './toasts.ts';

test('a dialog whose code does not come says so, leaves its page, and opens the next time', async () => {
  let tries = 0;
  const dialog = lazyDialog<{ onClose: () => void }>(async () => {
    tries += 1;
    if (tries === 1) throw new TypeError('Failed to fetch dynamically imported module');
    return () => <p>Poll the farm?</p>;
  });
  function Page() {
    const [isOpen, setIsOpen] = useState(false);
    const Dialog = dialog.current;
    return (
      <>
        <button onClick={() => setIsOpen(true)}>Poll</button>
        <p>{isOpen ? 'asked' : 'not asked'}</p>
        {isOpen && (
          <Suspense>
            <Dialog onClose={() => setIsOpen(false)} />
          </Suspense>
        )}
        {useToasts().map(({ id, text }) => (
          <p key={id}>{text}</p>
        ))}
      </>
    );
  }
  render(<Page />);
  await userEvent.click(screen.getByRole('button', { name: 'Poll' }));
  expect(await screen.findByText(/^That couldn't be loaded\./)).toBeTruthy();
  expect(screen.getByText('not asked')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Poll' }));
  expect(await screen.findByText('Poll the farm?')).toBeTruthy();
});
