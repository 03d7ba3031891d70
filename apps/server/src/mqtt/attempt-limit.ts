/** Counts failures per key in a window that starts with the first one. Remembers a bounded number of keys. */
export class AttemptLimit {
  readonly #max: number;
  readonly #windowMs: number;
  readonly #maxKeys: number;
  readonly #failures = new Map<string, { since: number; count: number }>();

  constructor(max: number, windowMs: number, maxKeys = 10_000) {
    this.#max = max;
    this.#windowMs = windowMs;
    this.#maxKeys = maxKeys;
  }

  isBlocked(key: string, now: Date): boolean {
    return (this.#current(key, now)?.count ?? 0) >= this.#max;
  }

  fail(key: string, now: Date): void {
    const entry = this.#current(key, now) ?? { since: now.getTime(), count: 0 };
    entry.count++;
    this.#failures.set(key, entry);
    if (this.#failures.size > this.#maxKeys) this.#dropOldest();
  }

  #current(key: string, now: Date): { since: number; count: number } | undefined {
    const entry = this.#failures.get(key);
    if (entry === undefined || now.getTime() - entry.since < this.#windowMs) return entry;
    this.#failures.delete(key);
    return undefined;
  }

  #dropOldest(): void {
    const [oldest] = this.#failures.keys();
    if (oldest !== undefined) this.#failures.delete(oldest);
  }
}

/** One IPv6 household has a whole /64 to guess from, so that is what counts as one address. */
export function addressKey(address: string): string {
  const plain = address.startsWith('::ffff:') ? address.slice(7) : address;
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.split('%')[0]?.split('::') ?? [];
  const groups = head.split(':').filter(Boolean);
  const after = tail?.split(':').filter(Boolean) ?? [];
  const zeros = tail === undefined ? 0 : 8 - groups.length - after.length;
  return [...groups, ...Array<string>(Math.max(0, zeros)).fill('0'), ...after].slice(0, 4).join(':');
}
