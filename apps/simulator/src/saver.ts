import type { Log } from './log.ts';

/**
 * Writes one thing at a time. Who asks while a write is under way shares the next one: it resolves when a write has ended that began after
 * it was asked. Rejects when that write failed.
 */
export function createSaver(write: () => Promise<void>, log: Log) {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  function begin(): Promise<void> {
    running = write()
      .catch((error: unknown) => {
        log.warn({ reason: String(error) }, 'state not saved');
        throw error;
      })
      .finally(() => {
        running = null;
      });
    return running;
  }

  return (): Promise<void> => {
    if (!running) return begin();
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = null;
        return begin();
      });
    return next;
  };
}
