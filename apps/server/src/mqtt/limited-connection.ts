import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { type FrameEvent, FrameLimiter, type FrameLimits, PINGREQ, PUBLISH } from './frame-limit.ts';
import { HeldBudget } from './held-budget.ts';
import type { Amount } from './limits.ts';

export interface ConnectionOptions {
  frames: FrameLimits;
  /** What this one connection may hold, within `allHeld`. */
  maxHeld: Amount;
  allHeld: HeldBudget;
  /** Resolves when the message may be acknowledged. */
  onOversize(connection: LimitedConnection, message: FrameEvent & { kind: 'oversize' }): Promise<void>;
  onViolation(connection: LimitedConnection, reason: string): void;
}

const PUBACK = 0x40;
const PUBREC = 0x50;
const PINGRESP = Buffer.from([0xd0, 0]);

/**
 * Stands between a socket and the broker. Lets frames through while there is room for them, stops reading the socket when
 * there is not, skims messages that are too large, and hands on nothing after CONNECT until the client is signed in.
 *
 * Pings are answered here: the broker reads on only when what it has is stored, and a client must not be taken for dead
 * because the database is slow.
 */
export class LimitedConnection extends Duplex {
  readonly remoteAddress: string;
  readonly held: HeldBudget;
  readonly #socket: Socket;
  readonly #options: ConnectionOptions;
  readonly #limiter: FrameLimiter;
  /** Frame sizes of PUBLISHes handed to the broker and not yet claimed by takeTicket, in order. */
  readonly #tickets: number[] = [];
  readonly #resumeDrain = () => this.#drain();
  #events: FrameEvent[] = [];
  #gate: 'connect' | 'signingIn' | 'open' | 'shut' = 'connect';
  #isWanted = false;
  #hasEnded = false;
  #oversizeStored: Promise<void> = Promise.resolve();
  #silence: NodeJS.Timeout | undefined;

  constructor(socket: Socket, options: ConnectionOptions) {
    super();
    this.#socket = socket;
    this.#options = options;
    this.#limiter = new FrameLimiter(options.frames);
    this.held = new HeldBudget(options.maxHeld, options.allHeld);
    this.remoteAddress = socket.remoteAddress ?? '';
    socket.pause();
    socket.on('data', (chunk) => this.#receive(chunk));
    socket.on('end', () => this.#receiveEnd());
    socket.on('error', (error) => this.destroy(error));
    // After a clean end the broker still has to read what waits here; it closes this side itself.
    socket.on('close', () => {
      if (!this.#hasEnded || this.#gate === 'shut') this.destroy();
    });
  }

  /** The client is signed in: let its messages through. */
  open(): void {
    if (this.#gate === 'shut') return;
    this.#gate = 'open';
    this.#drain();
  }

  /** MQTT 3.1.1, 3.1.2.10: gone when it says nothing for one and a half times this. 0 switches it off. */
  keepAlive(seconds: number): void {
    if (seconds === 0 || this.destroyed) return;
    this.#silence = setTimeout(() => {
      // When it is us who don't listen, its silence means nothing.
      if (this.#socket.isPaused()) this.#silence?.refresh();
      else this.destroy(new Error('keep-alive timeout'));
    }, seconds * 1_500);
  }

  /** Takes in nothing more; what the broker already has may still be answered. */
  shut(): void {
    this.#gate = 'shut';
    this.#socket.pause();
  }

  /** Sends what is still to be sent and says goodbye. Reads on into nothing: unread bytes would turn the goodbye into a reset. */
  farewell(): void {
    this.shut();
    this.#events = [];
    this.#socket.removeAllListeners('data');
    this.#socket.resume();
    this.end();
  }

  /** The size of the next PUBLISH that the broker has parsed. The caller now owes `held.release` of it. */
  takeTicket(): number | undefined {
    return this.#tickets.shift();
  }

  override _read(): void {
    this.#isWanted = true;
    this.#drain();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, done);
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#socket.write(Buffer.concat(chunks.map(({ chunk }) => chunk)), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end(() => done());
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#gate = 'shut';
    this.#events = [];
    clearTimeout(this.#silence);
    this.held.forget(this.#resumeDrain);
    for (const bytes of this.#tickets.splice(0)) this.held.release(bytes);
    this.#socket.destroy();
    done(error);
  }

  #receive(chunk: Buffer): void {
    if (this.#gate === 'shut') return;
    this.#silence?.refresh();
    for (const event of this.#limiter.feed(chunk)) this.#events.push(event);
    this.#drain();
  }

  #receiveEnd(): void {
    this.#hasEnded = true;
    this.#drain();
  }

  /** Hands on as many events as gate, room and the reader allow, then reads the socket or lets it wait. */
  #drain(): void {
    if (this.destroyed || this.#gate === 'shut') return;
    const ready: Buffer[] = [];
    let count = 0;
    for (const event of this.#events) {
      if (!this.#mayHandOn(event)) break;
      this.#handOn(event, ready);
      count++;
      if (this.destroyed) return;
    }
    this.#events.splice(0, count);
    if (ready.length > 0) this.#isWanted = this.push(ready.length === 1 ? ready[0] : Buffer.concat(ready));
    if (this.#events.length > 0) {
      this.#socket.pause();
    } else if (this.#hasEnded) {
      this.push(null);
    } else if (this.#isWanted && this.#gate !== 'signingIn') {
      this.#socket.resume();
    } else {
      this.#socket.pause();
    }
  }

  #mayHandOn(event: FrameEvent): boolean {
    if (event.kind === 'violation') return true;
    if (this.#gate === 'signingIn') return false;
    if (event.kind !== 'pass' || event.ends?.type !== PUBLISH || this.held.hasRoom()) return true;
    this.held.whenRoom(this.#resumeDrain);
    return false;
  }

  #handOn(event: FrameEvent, ready: Buffer[]): void {
    switch (event.kind) {
      case 'pass':
        if (event.ends?.type === PINGREQ && event.ends.size === PINGRESP.length && this.#gate === 'open') {
          if (this.writable) this.write(PINGRESP);
          return;
        }
        ready.push(event.bytes);
        if (event.ends !== undefined) this.#countFrame(event.ends);
        return;
      case 'oversize':
        this.#oversizeStored = this.#options.onOversize(this, event);
        this.#oversizeStored.catch((error: Error) => this.destroy(error));
        return;
      case 'skimmed':
        // When it could not be stored, the connection is being closed and the sender keeps the message.
        this.#acknowledge(this.#oversizeStored, event.qos, event.packetId).catch(() => undefined);
        return;
      case 'violation':
        this.#options.onViolation(this, event.reason);
        this.destroy();
    }
  }

  #countFrame(frame: { type: number; size: number }): void {
    if (this.#gate === 'connect') this.#gate = 'signingIn';
    if (frame.type !== PUBLISH) return;
    this.#tickets.push(frame.size);
    this.held.take(frame.size);
  }

  /** QoS 2 ends with the broker: it answers PUBREL for a packet it never saw. */
  async #acknowledge(stored: Promise<void>, qos: number, packetId: number): Promise<void> {
    await stored;
    const answer = Buffer.from([qos === 1 ? PUBACK : PUBREC, 2, packetId >> 8, packetId & 0xff]);
    if (qos > 0 && this.writable) this.write(answer);
  }
}
