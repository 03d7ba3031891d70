/** Gives what is true at the time of the call or later: whoever comes while `work` is under way shares the next one. */
export function oneAtATime<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | null = null;
  const start = () => {
    next = null;
    return work();
  };
  return () => {
    if (next === null) {
      next = running.then(start, start);
      running = next;
    }
    return next;
  };
}
