/** For so long what was reckoned is given to others, while reports of it are being made, ms. */
export const SHARED_MS = 10_000;

interface Shared<T> {
  readonly made: Promise<T>;
  /** When it was; null: it is being reckoned. */
  since: number | null;
  users: number;
}

/**
 * Who asks for what is being reckoned just now, or is used just now, gets the same. Of twenty who open one report at once most wait for
 * a turn until others' are printed: each would have it reckoned anew. `now`: epoch ms.
 */
export function createShared<T>(now = () => Date.now()) {
  const underWay = new Map<string, Shared<T>>();

  function begin(key: string, make: () => Promise<T>): Shared<T> {
    const one: Shared<T> = { made: make(), since: null, users: 0 };
    void one.made.then(
      () => (one.since = now()),
      () => {},
    );
    underWay.set(key, one);
    return one;
  }

  return async <R>(key: string, make: () => Promise<T>, use: (value: T) => R | Promise<R>): Promise<R> => {
    const known = underWay.get(key);
    const isFresh = known && (known.since === null || now() - known.since < SHARED_MS);
    const one = isFresh ? known : begin(key, make);
    one.users += 1;
    try {
      return await use(await one.made);
    } finally {
      one.users -= 1;
      if (one.users === 0 && underWay.get(key) === one) underWay.delete(key);
    }
  };
}
