import { randomBytes } from 'node:crypto';

/** How many beats are remembered: at one in five seconds, ten minutes of silence. */
const MAX_UNDER_WAY = 120;

/**
 * What we say to ourselves through the broker comes back behind everything that waits for us there: how long it takes is
 * how far we lag.
 */
export class Heartbeat {
  readonly #prefix = randomBytes(6).toString('hex');
  readonly #now: () => number;
  /** When each beat was sent, the oldest first. */
  readonly #underWay = new Map<string, number>();
  #count = 0;
  #lastMs = 0;

  /** `now` in ms of any clock that never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** A payload that nobody else sends. */
  beat(): string {
    const payload = `${this.#prefix}-${++this.#count}`;
    this.#underWay.set(payload, this.#now());
    const [oldest] = this.#underWay.keys();
    if (this.#underWay.size > MAX_UNDER_WAY && oldest !== undefined) this.#underWay.delete(oldest);
    return payload;
  }

  /** It came back. Messages keep their order, so beats before it that did not come were dropped by a full queue. */
  heard(payload: string): void {
    const sentAt = this.#underWay.get(payload);
    if (sentAt === undefined) return;
    this.#lastMs = this.#now() - sentAt;
    for (const earlier of this.#underWay.keys()) {
      this.#underWay.delete(earlier);
      if (earlier === payload) return;
    }
  }

  /** Age of the oldest beat that is not back, or what the last one took when that is more; ms. */
  lagMs(): number {
    const [oldest] = this.#underWay.values();
    return Math.max(this.#lastMs, oldest === undefined ? 0 : this.#now() - oldest);
  }
}
