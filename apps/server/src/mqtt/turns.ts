/** Lets so many at once do something, by key; the others wait in the order of coming. */
export class Turns {
  readonly #atOnce: number;
  readonly #keys = new Map<string, { running: number; waiting: (() => void)[] }>();

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  async take<T>(key: string, act: () => Promise<T>): Promise<T> {
    const turns = this.#keys.get(key) ?? { running: 0, waiting: [] };
    this.#keys.set(key, turns);
    // Who ends hands its turn on, so that nobody who comes meanwhile takes it.
    if (turns.running >= this.#atOnce) await new Promise<void>((resolve) => turns.waiting.push(resolve));
    else turns.running += 1;
    try {
      return await act();
    } finally {
      const next = turns.waiting.shift();
      if (next) next();
      else if ((turns.running -= 1) === 0) this.#keys.delete(key);
    }
  }
}
