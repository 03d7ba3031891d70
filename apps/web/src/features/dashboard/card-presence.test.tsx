import type { ReactNode } from 'react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { rakaia } from '../../testing/fixtures.ts';
import { farmQuery } from '../../farm/farms.queries.ts';
import { buildTank } from '../../testing/tank-fixtures.ts';
import { tanksQuery } from '../tanks/tanks.queries.ts';
import { useCardPresence } from './card-presence.ts';

let answer: (reply: Response) => void;
beforeEach(() => {
  // Every call waits for the answer.
  const reply = new Promise<Response>((resolve) => (answer = resolve));
  vi.stubGlobal('fetch', async () => (await reply).clone());
});
afterEach(() => vi.unstubAllGlobals());

function present() {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  client.setQueryData(tanksQuery(rakaia._id).queryKey, [buildTank(1)]);
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  let drawn = 0;
  const { result } = renderHook(
    () => {
      drawn += 1;
      return useCardPresence(rakaia, ['Tank']).Tank;
    },
    { wrapper },
  );
  return { client, result, drawn: () => drawn };
}

test('a card waits for the clock of the farm, by which its days are asked for', async () => {
  const { client, result } = present();
  expect(result.current.state).toBe('loading');
  await act(async () => client.setQueryData(farmQuery(rakaia._id).queryKey, rakaia as never));
  await waitFor(() => expect(result.current.state).toBe('has'));
});

test('whoever may not read the farm sees its cards by their own clock', async () => {
  const { result } = present();
  await act(async () => answer(new Response('{}', { status: 403 })));
  await waitFor(() => expect(result.current.state).toBe('has'));
});

test('a report of a tank draws nothing anew: that there are tanks stays as it was', async () => {
  const { client, result, drawn } = present();
  await act(async () => client.setQueryData(farmQuery(rakaia._id).queryKey, rakaia as never));
  await waitFor(() => expect(result.current.state).toBe('has'));
  const before = [result.current, drawn()];
  await act(async () => {
    client.setQueryData(tanksQuery(rakaia._id).queryKey, [buildTank(2)]);
    await observed();
  });
  expect([result.current, drawn()]).toEqual(before);
  await act(async () => {
    client.setQueryData(tanksQuery(rakaia._id).queryKey, []);
    await observed();
  });
  expect(result.current.state).toBe('none');
});

/** Changes reach the components in a task of their own. */
const observed = () => new Promise((resolve) => setTimeout(resolve));
