import { notFound } from '@tanstack/react-router';
import type { Need } from '@headrace/contract/permissions';
import { session } from '../api/session.ts';
import type { Visit } from './on-farm.ts';

/** Private pages don't exist for people who aren't signed in. */
export function requireLogin(): void {
  if (!session().logged) throw notFound();
}

/** `enterOnFarm`, which comes only where somebody is signed in: the sign-in page does without its code. */
export async function requireOnFarm(need: Need, visit: Visit): Promise<void> {
  requireLogin();
  const { enterOnFarm } = await import('./on-farm.ts');
  return enterOnFarm(need, visit);
}

export async function requireOnSomeFarm(need: Need, visit: Visit): Promise<void> {
  requireLogin();
  const { enterOnSomeFarm } = await import('./on-farm.ts');
  return enterOnSomeFarm(need, visit);
}
