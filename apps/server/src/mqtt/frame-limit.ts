/**
 * Reads MQTT frame headers off a byte stream as it arrives, so that a message too large never reaches a parser that would
 * buffer it whole. Pure: bytes in, events out; the same events whatever way the bytes were cut.
 */
export interface FrameLimits {
  /** Largest payload of a PUBLISH, in bytes. */
  maxPayload: number;
  /** Largest PUBLISH frame that is skimmed; a larger one ends the connection. */
  maxSkim: number;
  /** Largest frame of any other kind. */
  maxControl: number;
  /** How much of a payload too large is kept. */
  headBytes: number;
  /** Set on the side that takes connections: the first frame must be a CONNECT of at most this size. */
  maxConnect?: number;
}

export type FrameEvent =
  /** Hand these bytes on; `ends` when they complete a frame. */
  | { kind: 'pass'; bytes: Buffer; ends?: { type: number; size: number } }
  /** A message too large begins. Its body is swallowed. */
  | { kind: 'oversize'; topic: string; payloadBytes: number; head: Buffer }
  /** It is over, and may be acknowledged. */
  | { kind: 'skimmed'; qos: number; packetId: number }
  /** Nothing more can be read from this stream. */
  | { kind: 'violation'; reason: 'malformed' | 'tooLarge' | 'noConnect' };

const CONNECT = 1;
export const PUBLISH = 3;
export const PINGREQ = 12;
const AUTH = 15;

interface Frame {
  type: number;
  qos: number;
  /** Whole frame, fixed header included, in bytes. */
  size: number;
  headerSize: number;
  /** Bytes of this frame still to come. */
  left: number;
}

type State =
  | { at: 'header'; carry: Buffer }
  | { at: 'passing'; frame: Frame }
  /** A PUBLISH that may be too large: its beginning is kept back until topic, packet id and head are there. */
  | { at: 'judging'; frame: Frame; parts: Buffer[]; have: number; need: number }
  | { at: 'skimming'; frame: Frame; packetId: number }
  | { at: 'dead' };

const EMPTY = Buffer.alloc(0);

export class FrameLimiter {
  readonly #limits: FrameLimits;
  #state: State = { at: 'header', carry: EMPTY };
  #first = true;
  #events: FrameEvent[] = [];

  constructor(limits: FrameLimits) {
    this.#limits = limits;
  }

  feed(chunk: Buffer): FrameEvent[] {
    let rest = chunk;
    while (rest.length > 0 && this.#state.at !== 'dead') rest = this.#step(this.#state, rest);
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** Consumes some of `bytes` and returns what is left. */
  #step(state: State, bytes: Buffer): Buffer {
    switch (state.at) {
      case 'header':
        return this.#readHeader(state.carry.length > 0 ? Buffer.concat([state.carry, bytes]) : bytes);
      case 'passing':
        return this.#pass(state.frame, bytes);
      case 'judging':
        return this.#judge(state, bytes);
      case 'skimming':
        return this.#skim(state, bytes);
      case 'dead':
        return EMPTY;
      default:
        return state satisfies never;
    }
  }

  #readHeader(bytes: Buffer): Buffer {
    const frame = parseFixedHeader(bytes);
    if (frame === 'incomplete') {
      this.#state = { at: 'header', carry: bytes };
      return EMPTY;
    }
    const reason = frame === 'malformed' ? frame : this.#refusal(frame);
    this.#first = false;
    if (frame === 'malformed' || reason !== undefined) return this.#die(reason ?? 'malformed');
    this.#state =
      frame.type === PUBLISH && frame.left > this.#limits.maxPayload
        ? { at: 'judging', frame, parts: [], have: 0, need: frame.headerSize + 2 }
        : { at: 'passing', frame };
    frame.left = frame.size;
    return bytes;
  }

  #refusal(frame: Frame): 'noConnect' | 'tooLarge' | undefined {
    const { maxConnect, maxControl } = this.#limits;
    if (this.#first && maxConnect !== undefined) {
      if (frame.type !== CONNECT) return 'noConnect';
      return frame.size > maxConnect ? 'tooLarge' : undefined;
    }
    return frame.type !== PUBLISH && frame.size > maxControl ? 'tooLarge' : undefined;
  }

  #pass(frame: Frame, bytes: Buffer): Buffer {
    const part = bytes.subarray(0, frame.left);
    frame.left -= part.length;
    if (frame.left > 0) {
      this.#events.push({ kind: 'pass', bytes: part });
    } else {
      this.#events.push({ kind: 'pass', bytes: part, ends: { type: frame.type, size: frame.size } });
      this.#state = { at: 'header', carry: EMPTY };
    }
    return bytes.subarray(part.length);
  }

  #judge(state: State & { at: 'judging' }, bytes: Buffer): Buffer {
    const part = bytes.subarray(0, state.need - state.have);
    state.parts.push(part);
    state.have += part.length;
    if (state.have === state.need) this.#decide(state, Buffer.concat(state.parts));
    return bytes.subarray(part.length);
  }

  /** `start` is the frame's beginning: first up to the topic's length, then as far as the kept head goes. */
  #decide(state: State & { at: 'judging' }, start: Buffer): void {
    const { frame } = state;
    const topicAt = frame.headerSize + 2;
    const topicEnd = topicAt + start.readUInt16BE(frame.headerSize);
    const payloadAt = topicEnd + (frame.qos > 0 ? 2 : 0);
    const payloadBytes = frame.size - payloadAt;
    if (payloadBytes < 0 || frame.qos > 2) {
      this.#die('malformed');
      return;
    }
    const isOversize = payloadBytes > this.#limits.maxPayload;
    const need = isOversize ? payloadAt + Math.min(this.#limits.headBytes, payloadBytes) : start.length;
    if (start.length < need) {
      this.#state = { ...state, parts: [start], have: start.length, need };
      return;
    }
    frame.left -= start.length;
    if (!isOversize) {
      this.#events.push({ kind: 'pass', bytes: start });
      this.#state = { at: 'passing', frame };
      return;
    }
    const topic = start.toString('utf8', topicAt, topicEnd);
    this.#events.push({ kind: 'oversize', topic, payloadBytes, head: start.subarray(payloadAt) });
    if (frame.size > this.#limits.maxSkim) this.#die('tooLarge');
    else this.#enterSkim(frame, frame.qos > 0 ? start.readUInt16BE(topicEnd) : 0);
  }

  #enterSkim(frame: Frame, packetId: number): void {
    this.#state = { at: 'skimming', frame, packetId };
    if (frame.left === 0) this.#endSkim(frame, packetId);
  }

  #skim(state: State & { at: 'skimming' }, bytes: Buffer): Buffer {
    const taken = Math.min(bytes.length, state.frame.left);
    state.frame.left -= taken;
    if (state.frame.left === 0) this.#endSkim(state.frame, state.packetId);
    return bytes.subarray(taken);
  }

  #endSkim(frame: Frame, packetId: number): void {
    this.#events.push({ kind: 'skimmed', qos: frame.qos, packetId });
    this.#state = { at: 'header', carry: EMPTY };
  }

  #die(reason: 'malformed' | 'tooLarge' | 'noConnect'): Buffer {
    this.#events.push({ kind: 'violation', reason });
    this.#state = { at: 'dead' };
    return EMPTY;
  }
}

/** MQTT 3.1.1, 2.2: one byte of type and flags, then the remaining length in one to four bytes of seven bits. */
function parseFixedHeader(bytes: Buffer): Frame | 'incomplete' | 'malformed' {
  const first = bytes[0];
  if (first === undefined) return 'incomplete';
  const type = first >> 4;
  if (type === 0 || type === AUTH) return 'malformed';
  let length = 0;
  for (let index = 1; index <= 4; index++) {
    const byte = bytes[index];
    if (byte === undefined) return 'incomplete';
    length += (byte & 0x7f) * 128 ** (index - 1);
    if (byte < 0x80) {
      return { type, qos: (first >> 1) & 3, size: index + 1 + length, headerSize: index + 1, left: length };
    }
  }
  return 'malformed';
}
