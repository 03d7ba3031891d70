/**
 * Length of the kernel's queue of connections that we have not accepted yet: Linux's own maximum. Node accepts one in each turn of its
 * event loop. A burst fills the usual 511 places, and a client that finds no place tries again after one second, then three.
 */
export const ACCEPT_QUEUE = 4096;

export interface WaitingRoomLimits {
  /** Of one address. */
  perKey: number;
  /** Of all addresses. */
  all: number;
}

/**
 * Clients that have connected and not sent anything useful yet, by address. There is always room for one more. If an address has too
 * many, its longest waiting client is dropped; if there are too many in all, the longest waiting client of the address that has the
 * most. So a client that speaks soon is served, and clients that stay silent are dropped first.
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
