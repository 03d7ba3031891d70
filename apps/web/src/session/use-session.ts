import { useSyncExternalStore } from 'react';
import { onSession, session, type Session } from '../api/session.ts';

/** Who is signed in, here and in every other tab. */
export function useSession(): Session {
  return useSyncExternalStore(onSession, session);
}
