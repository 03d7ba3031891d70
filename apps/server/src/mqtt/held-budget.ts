import type { Amount } from './limits.ts';

/**
 * How much may be held between the socket and the commit. When it is used up, readers wait for room instead of dropping:
 * TCP then makes the sender wait. A budget may sit under another (one client under all).
 */
export class HeldBudget {
  readonly #max: Amount;
  readonly #parent: HeldBudget | undefined;
  readonly #waiting = new Set<() => void>();
  #messages = 0;
  #bytes = 0;
  #wakeDue = false;

  constructor(max: Amount, parent?: HeldBudget) {
    this.#max = max;
    this.#parent = parent;
  }

  get messages(): number {
    return this.#messages;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Goes over by at most one message, so that a single large one always fits. */
  hasRoom(): boolean {
    return !this.#isFull() && (this.#parent?.hasRoom() ?? true);
  }

  take(bytes: number): void {
    this.#messages++;
    this.#bytes += bytes;
    this.#parent?.take(bytes);
  }

  release(bytes: number): void {
    this.#messages--;
    this.#bytes -= bytes;
    if (this.#waiting.size > 0 && !this.#wakeDue) {
      this.#wakeDue = true;
      // Not at once: a batch is acknowledged in one go, and its room is best handed out in one go.
      setImmediate(() => this.#wake());
    }
    this.#parent?.release(bytes);
  }

  /** Calls back once when there may be room again; ask hasRoom() then. The same function waits only once. */
  whenRoom(callback: () => void): void {
    if (this.#isFull() || this.#parent === undefined) this.#waiting.add(callback);
    else this.#parent.whenRoom(callback);
  }

  forget(callback: () => void): void {
    this.#waiting.delete(callback);
    this.#parent?.forget(callback);
  }

  #isFull(): boolean {
    return this.#messages >= this.#max.messages || this.#bytes >= this.#max.bytes;
  }

  #wake(): void {
    this.#wakeDue = false;
    for (const callback of this.#waiting) {
      if (this.#isFull()) return;
      this.#waiting.delete(callback);
      callback();
    }
  }
}
