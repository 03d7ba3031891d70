import { createMemoryHistory, type RouterHistory } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, vi } from 'vitest';
import type { LoginReply } from '@headrace/contract/accounts';
import { createQueryClient } from '../api/queries.ts';
import { signIn } from '../api/session.ts';
import { App } from '../app/app.tsx';
import { createAppRouter } from '../app/router.tsx';
import { FakeApi } from './fake-api.ts';
import { buildLogin } from './fixtures.ts';

export interface RenderOptions {
  api?: FakeApi;
  /** Who is signed in; null: nobody. The owner of three farms unless said. */
  as?: LoginReply | null;
}

let lastApi: FakeApi | undefined;
afterEach(() => {
  // A reply that breaks the contract fails the test that gave it, even where the screen hides it.
  const faults = lastApi?.faults ?? [];
  lastApi = undefined;
  expect(faults).toEqual([]);
});

/** The whole app at a path, or where a browser's history is, with a server that answers by the contract. */
export function renderApp(
  path: string | RouterHistory,
  { api = new FakeApi(), as = buildLogin() }: RenderOptions = {},
) {
  lastApi = api;
  vi.stubGlobal('fetch', api.fetch);
  if (as) signIn(as);
  const queryClient = createQueryClient({ retryDelayMs: 1 });
  const history = typeof path === 'string' ? createMemoryHistory({ initialEntries: [path] }) : path;
  const router = createAppRouter(queryClient, history);
  const view = render(<App queryClient={queryClient} router={router} />);
  return { ...view, api, queryClient, router, user: userEvent.setup() };
}
