/** Lets a limited number of promises be under way: `add` waits for room, which is how back-pressure reaches the one who produces. */
export function createWindow(limit: number) {
  const pending = new Set<Promise<void>>();
  let failure: { error: unknown } | null = null;

  return {
    add: async (work: () => Promise<void>): Promise<void> => {
      while (pending.size >= limit) await Promise.race(pending);
      if (failure) throw failure.error;
      const promise: Promise<void> = work()
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => pending.delete(promise));
      pending.add(promise);
    },
    /** Resolves when nothing is under way; rejects with the first failure there has been. */
    drain: async (): Promise<void> => {
      await Promise.all(pending);
      if (failure) throw failure.error;
    },
  };
}
