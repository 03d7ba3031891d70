import type { Amount } from './limits.ts';
import type { Payload } from './transport.ts';

export interface Outgoing {
  topic: string;
  payload: string;
  retain: boolean;
  packetId: number;
  /** Sent before, on a connection that broke: the other side may have it already. */
  dup: boolean;
}

interface Entry extends Omit<Outgoing, 'payload'> {
  payload: Payload;
  settle(error?: Error): void;
}

const textOf = (payload: Payload) => (typeof payload === 'string' ? payload : payload());
const leaving = ({ topic, payload, retain, packetId, dup }: Entry): Outgoing => ({
  topic,
  payload: textOf(payload),
  retain,
  packetId,
  dup,
});

const MAX_PACKET_ID = 65_535;

/** Our QoS 1 publishes until the broker has acknowledged them. Outlives connections, bounded, in order. */
export class OutgoingQueue {
  readonly #max: Amount;
  readonly #window: number;
  readonly #inFlight = new Map<number, Entry>();
  #waiting: Entry[] = [];
  #bytes = 0;
  #lastId = 0;
  #send: ((message: Outgoing) => void) | undefined;

  /** `window`: how many may be unacknowledged at a time. */
  constructor(max: Amount, window = 1_000) {
    this.#max = max;
    this.#window = window;
  }

  get size(): number {
    return this.#inFlight.size + this.#waiting.length;
  }

  add(topic: string, payload: Payload, retain: boolean): Promise<void> {
    const bytes = Buffer.byteLength(topic) + Buffer.byteLength(textOf(payload));
    if (this.size >= this.#max.messages || this.#bytes + bytes > this.#max.bytes) {
      return Promise.reject(new Error('too many messages wait for the broker'));
    }
    return new Promise((resolve, reject) => {
      this.#bytes += bytes;
      const settle = (error?: Error) => {
        this.#bytes -= bytes;
        if (error) reject(error);
        else resolve();
      };
      this.#waiting.push({ topic, payload, retain, packetId: 0, dup: false, settle });
      this.#fill();
    });
  }

  /** A connection is ready: what the last one left unacknowledged goes first, under its old packet id. */
  attach(send: (message: Outgoing) => void): void {
    this.#send = send;
    for (const entry of this.#inFlight.values()) {
      entry.dup = true;
      send(leaving(entry));
    }
    this.#fill();
  }

  detach(): void {
    this.#send = undefined;
  }

  acknowledged(packetId: number): void {
    const entry = this.#inFlight.get(packetId);
    if (entry === undefined) return;
    this.#inFlight.delete(packetId);
    entry.settle();
    this.#fill();
  }

  rejectAll(error: Error): void {
    const entries = [...this.#inFlight.values(), ...this.#waiting];
    this.#inFlight.clear();
    this.#waiting = [];
    for (const entry of entries) entry.settle(error);
  }

  #fill(): void {
    const send = this.#send;
    if (send === undefined) return;
    const count = Math.min(this.#waiting.length, this.#window - this.#inFlight.size);
    for (const entry of this.#waiting.splice(0, Math.max(0, count))) {
      entry.packetId = this.#freeId();
      this.#inFlight.set(entry.packetId, entry);
      send(leaving(entry));
    }
  }

  #freeId(): number {
    do this.#lastId = (this.#lastId % MAX_PACKET_ID) + 1;
    while (this.#inFlight.has(this.#lastId));
    return this.#lastId;
  }
}
