/** Answers for one of those that were asked for together. */
type Ask<About, Answer> = (
  about: About,
  names: readonly string[],
  signal: AbortSignal,
) => Promise<(name: string) => Answer>;

interface Batch<Answer> {
  readonly names: string[];
  readonly signals: AbortSignal[];
  readonly answers: Promise<(name: string) => Answer>;
}

/** Makes one call of all that is asked for at the same moment about the same thing, up to `most` names in one; called off once nobody waits for it. */
export function createBatches<About, Answer>(most: number, ask: Ask<About, Answer>) {
  const open = new Map<string, Batch<Answer>>();

  function begin(key: string, about: About): Batch<Answer> {
    const called = new AbortController();
    const batch: Batch<Answer> = { names: [], signals: [], answers: Promise.resolve().then(go) };
    function go() {
      if (open.get(key) === batch) open.delete(key);
      const look = () => batch.signals.every(({ aborted }) => aborted) && called.abort();
      for (const signal of batch.signals) signal.addEventListener('abort', look);
      return ask(about, batch.names, called.signal);
    }
    open.set(key, batch);
    return batch;
  }

  return async (about: About, name: string, signal: AbortSignal): Promise<Answer> => {
    const key = JSON.stringify(about);
    const known = open.get(key);
    const batch = known && known.names.length < most ? known : begin(key, about);
    batch.names.push(name);
    batch.signals.push(signal);
    return (await batch.answers)(name);
  };
}
