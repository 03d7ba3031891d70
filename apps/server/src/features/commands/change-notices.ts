import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandProgress } from './command-writer.ts';

/** To tell how a command of thousands of units stands they are counted: that may take this part of the time, and no longer a pause, ms. */
const SHARE = 0.1;
const PAUSE_MOST_MS = 500;

/**
 * Tells of changed commands: the first at once, what comes meanwhile together, each command as it stands then. The end of a command
 * waits for nothing but what is being told.
 */
export function createChangeNotices(tell: (changed: readonly CommandProgress[]) => Promise<void>) {
  let waiting = new Map<string, CommandProgress>();
  let running: Promise<void> | null = null;
  let wake = () => {};
  let isClosing = false;

  async function run(): Promise<void> {
    while (waiting.size > 0) {
      const changed = [...waiting.values()];
      waiting = new Map();
      const start = performance.now();
      await tell(changed);
      await pause(((performance.now() - start) * (1 - SHARE)) / SHARE);
    }
    running = null;
  }

  async function pause(ms: number): Promise<void> {
    const hasEnded = [...waiting.values()].some(({ isFinished }) => isFinished);
    if (hasEnded || isClosing) return;
    const woken = new Promise<void>((resolve) => (wake = resolve));
    await Promise.race([sleep(Math.min(PAUSE_MOST_MS, ms)), woken]);
  }

  return {
    add(changed: readonly CommandProgress[]): void {
      for (const one of changed) {
        const key = `${one.farmId}/${one.commandId}`;
        const isFinished = one.isFinished || (waiting.get(key)?.isFinished ?? false);
        waiting.set(key, { ...one, isFinished });
      }
      if (waiting.size === 0) return;
      if (changed.some(({ isFinished }) => isFinished)) wake();
      running ??= run();
    },

    /** When all is told. */
    async done(): Promise<void> {
      isClosing = true;
      wake();
      await running;
      isClosing = false;
    },
  };
}
