import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { SeesNothing } from '../../testing/in-sight.ts';
import { CardSlot, HAS, type Presence, UNSEEN_MS } from './card-slot.tsx';

const show = (presence: Presence, releasedAfter: number, content = <p>The card itself</p>) =>
  render(
    <CardSlot
      type="Flow"
      title="Flow Meters"
      presence={presence}
      failed="The flow meters couldn't be loaded"
      releasedAfter={releasedAfter}
    >
      {content}
    </CardSlot>,
  );
const card = () => screen.queryByText('The card itself');
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test.each<[what: string, presence: Presence, ms: number]>([
  ['without data, in sight', { state: 'loading' }, 800],
  ['with data, out of sight', HAS, 1600 + UNSEEN_MS],
])("a card's loading sign gives way when its time is over: %s", async (_what, presence, ms) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  if (presence === HAS) vi.stubGlobal('IntersectionObserver', SeesNothing);
  show(presence, presence === HAS ? ms - UNSEEN_MS : ms);
  await pass(ms - 1);
  expect(screen.getByRole('status').textContent).toBe('Loading');
  expect(card()).toBeNull();
  await pass(1);
  expect(card()).toBeTruthy();
  expect(screen.queryByRole('status')).toBeNull();
});

test('a card in sight with its data waits for no time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  show(HAS, 1600);
  await pass(0);
  expect(card()).toBeTruthy();
});

test('a card that breaks says so in its place, and Retry draws it again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  let isBroken = true;
  const Card = () => {
    if (isBroken) throw new Error('Something else');
    return <p>The card itself</p>;
  };
  show(HAS, 1600, <Card />);
  await screen.findByText("The flow meters couldn't be loaded");
  const place = within(screen.getByRole('region', { name: 'Flow Meters' }));
  isBroken = false;
  await userEvent.click(place.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('The card itself')).toBeTruthy();
  vi.restoreAllMocks();
});
