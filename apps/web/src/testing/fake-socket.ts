import type { ServerFrame } from '@headrace/contract/live';

/** The server's end of the live connection. `FakeSocket.all` are the connections made, oldest first. */
export class FakeSocket extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  static all: FakeSocket[] = [];
  /** Whether a connection opens by itself, as it does with a server that is there. */
  static opensItself = true;
  /** Whether greetings and questions are answered, as the real server does. False: a network that swallows everything. */
  static answers = true;

  static get last(): FakeSocket {
    const socket = FakeSocket.all.at(-1);
    if (!socket) throw new Error('No live connection was made');
    return socket;
  }

  readonly url: string;
  readonly protocol: string;
  readonly sent: unknown[] = [];
  readyState: number = FakeSocket.CONNECTING;

  constructor(url: string, protocol: string) {
    super();
    this.url = url;
    this.protocol = protocol;
    FakeSocket.all.push(this);
    if (FakeSocket.opensItself)
      queueMicrotask(() => this.readyState === FakeSocket.CONNECTING && this.open());
  }

  open(): void {
    this.readyState = FakeSocket.OPEN;
    this.dispatchEvent(new Event('open'));
  }

  /** A message to the browser. */
  push(frame: ServerFrame): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(frame) }));
  }

  /** The connection ends; by a code, or by the network. */
  drop(code = 1006): void {
    this.readyState = FakeSocket.CLOSED;
    this.dispatchEvent(Object.assign(new Event('close'), { code, wasClean: code !== 1006 }));
  }

  send(text: string): void {
    const frame = JSON.parse(text) as { type: string };
    this.sent.push(frame);
    if (!FakeSocket.answers) return;
    if (frame.type === 'client_id')
      queueMicrotask(() => this.push({ type: 'default_settings', data: { data: {}, version: 6 } }));
    if (frame.type === 'ping') queueMicrotask(() => this.push({ type: 'pong', data: {} }));
  }

  close(): void {
    if (this.readyState !== FakeSocket.CLOSED) this.drop(1000);
  }
}
