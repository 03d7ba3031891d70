import type { Timezone } from '@headrace/contract/farms';
import type { Made } from '@headrace/paper/made';
import { serverNow } from '../../api/server-time.ts';
import { useSession } from '../../session/use-session.ts';

/** Who makes a report of a farm, and when; null until its clock is known. */
export function useMade(farm: string, zone: Timezone | null): (() => Made) | null {
  const { name, email } = useSession();
  return zone && (() => ({ farm, zone, by: name || email, at: serverNow() }));
}

/** When the server told what the page has, by the server's clock; epoch ms. `at`: by the browser's. */
export const serverTime = (at: number | undefined): number => (at ?? Date.now()) + serverNow() - Date.now();
