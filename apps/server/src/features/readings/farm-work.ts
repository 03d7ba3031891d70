import type { Redecoded } from './decode-anew.ts';
import type { DueHeld } from './due-uplinks.ts';
import type { Worker } from './fair-turns.ts';

/** What a farm has at hand. More is read when all of it is stored. */
export interface FarmWork extends Worker {
  readonly waiting: DueHeld[];
  readonly readAt: number;
  unstored: number;
  again: Redecoded[];
}
