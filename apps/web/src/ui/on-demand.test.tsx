import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { OnDemand } from './on-demand.tsx';
import { useOpenAtOnce } from './use-open-at-once.ts';
import { useToasts } from './toasts.ts';

function Menu() {
  const { button, isOpen } = useOpenAtOnce();
  return (
    <button type="button" ref={button} aria-expanded={isOpen}>
      Things
    </button>
  );
}
function Said() {
  return useToasts().map(({ id, text }) => <p key={id}>{text}</p>);
}
const closed = (ask: () => void) => (
  <button type="button" onClick={ask}>
    Things
  </button>
);

test('a menu comes with the first press, open, and its button has the focus', async () => {
  render(<OnDemand load={async () => Menu}>{closed}</OnDemand>);
  expect(screen.queryByRole('button', { expanded: true })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Things' }));
  const button = await screen.findByRole('button', { name: 'Things', expanded: true });
  expect(document.activeElement).toBe(button);
});

test('one that cannot be loaded says so, and may be asked for again', async () => {
  let attempts = 0;
  const load = async () => {
    attempts += 1;
    // Pointing at the button, and the focus on it, fetch ahead.
    if (attempts <= 3) throw new TypeError('Failed to fetch');
    return Menu;
  };
  render(
    <>
      <OnDemand load={load}>{closed}</OnDemand>
      <Said />
    </>,
  );
  await userEvent.click(screen.getByRole('button'));
  await screen.findByText("The menu couldn't be loaded. Please check the connection and try again.");
  await userEvent.click(screen.getByRole('button'));
  expect(await screen.findByRole('button', { expanded: true })).toBeTruthy();
});
