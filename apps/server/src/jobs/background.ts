/** Work that a reply doesn’t wait for: its time tells nothing, and its failure is logged. */
export function createBackground(log: { error(details: object, message: string): void }) {
  const running = new Set<Promise<void>>();
  return {
    run(name: string, work: () => Promise<void>): void {
      const task = Promise.resolve()
        .then(work)
        .catch((error: unknown) => log.error({ err: error }, `${name} failed`))
        .finally(() => running.delete(task));
      running.add(task);
    },

    /** When all that runs now is done. */
    async settled(): Promise<void> {
      await Promise.all(running);
    },
  };
}
export type Background = ReturnType<typeof createBackground>;
