import type { Db } from '../../db/client.ts';
import { createDeadLettersRepo } from './dead-letters.repo.ts';
import { replay, type Replayed, type TakeAgain } from './replay.ts';

/** Takes what waited for our clock, as far as our clock has come to its time. What is left is the next run's. */
export function releaseHeld(db: Db, takeAgain: TakeAgain, now: Date): Promise<Replayed> {
  return replay(createDeadLettersRepo(db), takeAgain, { readyAt: now });
}
