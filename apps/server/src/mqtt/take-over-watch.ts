/** A connection that the broker ended this soon after it was ready may have been taken over, ms. */
const SHORT_MS = 15_000;
/** So many of them within this time are no accident, ms. */
const MANY = 3;
const WITHIN_MS = 60_000;

/**
 * MQTT 3.1.1 ends the older of two connections with one client id without a word. Two servers with the same one then push
 * each other out for ever, and each sees nothing but a connection that is closed soon after it was opened.
 */
export class TakeOverWatch {
  readonly #now: () => number;
  #openedAt = 0;
  #short: number[] = [];

  /** `now` in ms of any clock that never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  opened(): void {
    this.#openedAt = this.#now();
  }

  /** True when the connection had lasted, so that its end says nothing about the next. */
  closed(byBroker: boolean): boolean {
    const lasted = this.#now() - this.#openedAt >= SHORT_MS;
    if (byBroker && !lasted) this.#short = [...this.#recent(), this.#now()];
    return lasted;
  }

  suspected(): boolean {
    return this.#recent().length >= MANY;
  }

  #recent(): number[] {
    return this.#short.filter((at) => this.#now() - at < WITHIN_MS);
  }
}
