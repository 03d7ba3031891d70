/**
 * Connections that the kernel keeps for us until we take them, as many as Linux allows by itself. Node takes one for each turn of
 * its loop: in the usual 511 a burst of strangers leaves no place, and who finds none tries again after one second, then three.
 */
export const ACCEPT_QUEUE = 4096;

export interface WaitingRoomLimits {
  /** Of one address. */
  perKey: number;
  /** Of all addresses. */
  all: number;
}

/**
 * Those who opened something and have not said yet what they want, by address. There is always room for one more: where an
 * address has too many here, or all have, the one that waits longest is sent away, and among all one of the address that has
 * the most. So whoever means it gets its turn as long as it speaks sooner than that takes, and who never speaks goes first.
 */
export class WaitingRoom<Guest> {
  readonly #limits: WaitingRoomLimits;
  readonly #sendAway: (guest: Guest) => void;
  /** Sets keep the order of coming. */
  readonly #byKey = new Map<string, Set<Guest>>();
  #count = 0;

  constructor(limits: WaitingRoomLimits, sendAway: (guest: Guest) => void) {
    this.#limits = limits;
    this.#sendAway = sendAway;
  }

  get count(): number {
    return this.#count;
  }

  /** Returns how it leaves; leaving twice, or after it was sent away, does nothing. */
  enter(key: string, guest: Guest): () => void {
    const own = this.#byKey.get(key) ?? new Set();
    this.#byKey.set(key, own);
    if (own.size >= this.#limits.perKey) this.#sendLongest(key, own);
    else if (this.#count >= this.#limits.all) this.#sendLongest(...this.#fullest());
    this.#byKey.set(key, own.add(guest));
    this.#count += 1;
    return () => this.#leave(key, guest);
  }

  #leave(key: string, guest: Guest): boolean {
    const own = this.#byKey.get(key);
    if (!own?.delete(guest)) return false;
    this.#count -= 1;
    if (own.size === 0) this.#byKey.delete(key);
    return true;
  }

  #sendLongest(key: string, own: Set<Guest>): void {
    const [longest] = own;
    if (longest !== undefined && this.#leave(key, longest)) this.#sendAway(longest);
  }

  #fullest(): [string, Set<Guest>] {
    let fullest: [string, Set<Guest>] = ['', new Set()];
    for (const entry of this.#byKey) if (entry[1].size > fullest[1].size) fullest = entry;
    return fullest;
  }
}
