import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { createQueryClient } from '../api/queries.ts';
import { ErrorScreen } from './error-screen.tsx';

afterEach(() => vi.restoreAllMocks());

/** A page that fails, shown as the app shows it. */
async function fail(message: string) {
  for (const loud of ['error', 'warn'] as const) vi.spyOn(console, loud).mockImplementation(() => undefined);
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
  const Broken = () => {
    throw new Error(message);
  };
  const routeTree = createRootRoute({ component: Broken, errorComponent: ErrorScreen });
  const router = createRouter({ routeTree, history: createMemoryHistory() });
  render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Retry' }));
  return reload;
}

test.each([
  ['Failed to fetch dynamically imported module: http://headrace.test/assets/map-1.js'],
  ['Unable to preload CSS for /assets/commands-1.css'],
])('Retry loads the new version where a piece of the old one is gone: %s', async (message) => {
  expect(await fail(message)).toHaveBeenCalledOnce();
});

test('Retry tries a page that failed otherwise again as it is', async () => {
  expect(await fail('Something else')).not.toHaveBeenCalled();
});
