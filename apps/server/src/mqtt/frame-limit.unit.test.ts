import fc from 'fast-check';
import mqtt, { type Packet } from 'mqtt-packet';
import { describe, expect, it } from 'vitest';
import { type FrameEvent, FrameLimiter, type FrameLimits } from './frame-limit.ts';

const LIMITS: FrameLimits = { maxPayload: 200, maxSkim: 2_000, maxControl: 100, headBytes: 16 };
const GUARDED = { ...LIMITS, maxConnect: 60 };

const publish = (payloadBytes: number, qos: 0 | 1 | 2 = 1, topic = 'a/b', messageId = 7): Buffer =>
  mqtt.generate({
    cmd: 'publish',
    topic,
    payload: Buffer.alloc(payloadBytes, 'p'),
    qos,
    retain: false,
    dup: false,
    ...(qos > 0 && { messageId }),
  });
const connect = (clientId: string): Buffer =>
  mqtt.generate({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: 4,
    clean: true,
    clientId,
    keepalive: 0,
  });
const PING = mqtt.generate({ cmd: 'pingreq' });

function feed(limits: FrameLimits, chunks: Buffer[]): FrameEvent[] {
  const limiter = new FrameLimiter(limits);
  return chunks.flatMap((chunk) => limiter.feed(chunk));
}

const passed = (events: FrameEvent[]) =>
  Buffer.concat(events.flatMap((event) => (event.kind === 'pass' ? [event.bytes] : [])));
const framesOf = (events: FrameEvent[]) =>
  events.flatMap((event) => (event.kind === 'pass' && event.ends ? [event.ends] : []));
/** What has to be the same however the bytes were cut. */
const faultsIn = (events: FrameEvent[]) => events.filter(({ kind }) => kind !== 'pass');

describe('frame limit', () => {
  it.each([
    { name: 'a payload of exactly the limit passes', bytes: publish(200), oversize: false },
    { name: 'one byte more is skimmed', bytes: publish(201), oversize: true },
    {
      name: 'a long topic does not count as payload',
      bytes: publish(200, 1, 'x'.repeat(500)),
      oversize: false,
    },
    { name: 'a long topic on a long payload', bytes: publish(201, 0, 'x'.repeat(500)), oversize: true },
    { name: 'a small message', bytes: publish(0, 0), oversize: false },
  ])('$name', ({ bytes, oversize }) => {
    const events = feed(LIMITS, [bytes, PING]);
    expect(faultsIn(events).map(({ kind }) => kind)).toEqual(oversize ? ['oversize', 'skimmed'] : []);
    expect(passed(events).equals(oversize ? PING : Buffer.concat([bytes, PING]))).toBe(true);
  });

  it.each([0, 1, 2] as const)(
    'says of a skimmed message all that its acknowledgement needs (QoS %i)',
    (qos) => {
      const events = feed(LIMITS, [publish(1_000, qos, 'farm/x', 513)]);
      expect(events).toEqual([
        { kind: 'oversize', topic: 'farm/x', payloadBytes: 1_000, head: Buffer.alloc(16, 'p') },
        { kind: 'skimmed', qos, packetId: qos === 0 ? 0 : 513 },
      ]);
    },
  );

  it('tells of a message before its body has come', () => {
    const limiter = new FrameLimiter(LIMITS);
    const kinds = limiter.feed(publish(1_000).subarray(0, 60)).map(({ kind }) => kind);
    expect(kinds).toEqual(['oversize']);
  });

  it.each([
    { name: 'beyond what is skimmed', bytes: publish(2_000), reason: 'tooLarge', limits: LIMITS },
    {
      name: 'a type that does not exist',
      bytes: Buffer.from([0x00, 0x00]),
      reason: 'malformed',
      limits: LIMITS,
    },
    { name: 'AUTH, of MQTT 5', bytes: Buffer.from([0xf0, 0x00]), reason: 'malformed', limits: LIMITS },
    {
      name: 'a length of five bytes',
      bytes: Buffer.from([0x30, 255, 255, 255, 255, 1]),
      reason: 'malformed',
      limits: LIMITS,
    },
    {
      name: 'a topic longer than its frame',
      bytes: oversizeWithTopicLength(65_535),
      reason: 'malformed',
      limits: LIMITS,
    },
    { name: 'a long SUBSCRIBE', bytes: Buffer.from([0x82, 0xff, 0x01]), reason: 'tooLarge', limits: LIMITS },
    { name: 'a first frame that is no CONNECT', bytes: publish(1), reason: 'noConnect', limits: GUARDED },
    {
      name: 'web traffic on the wrong port',
      bytes: Buffer.from('GET / HTTP/1.1\r\n'),
      reason: 'noConnect',
      limits: GUARDED,
    },
    { name: 'a long CONNECT', bytes: connect('c'.repeat(80)), reason: 'tooLarge', limits: GUARDED },
  ])('ends the stream at $name', ({ bytes, reason, limits }) => {
    const events = feed(limits, [bytes, PING]);
    expect(events.at(-1)).toEqual({ kind: 'violation', reason });
    expect(passed(events)).toHaveLength(0);
  });

  it('asks for CONNECT only once', () => {
    const events = feed(GUARDED, [connect('c'), publish(150), publish(300)]);
    expect(framesOf(events).map(({ type }) => type)).toEqual([1, 3]);
    expect(faultsIn(events).map(({ kind }) => kind)).toEqual(['oversize', 'skimmed']);
  });

  it('does not care how the bytes were cut', () => {
    const frame = fc.oneof(
      fc
        .record({
          size: fc.integer({ min: 0, max: 600 }),
          qos: fc.constantFrom(...([0, 1, 2] as const)),
          topic: fc.string({ minLength: 1, maxLength: 300 }),
        })
        .map(({ size, qos, topic }) => ({
          bytes: publish(size, qos, topic),
          isOversize: size > 200,
        })),
      fc.constant({ bytes: PING, isOversize: false }),
      fc.constant({
        bytes: mqtt.generate({ cmd: 'puback', messageId: 3 } satisfies Packet),
        isOversize: false,
      }),
    );
    fc.assert(
      fc.property(
        fc.array(frame, { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 400 })),
        (frames, cuts) => {
          const stream = Buffer.concat(frames.map(({ bytes }) => bytes));
          const events = feed(LIMITS, cut(stream, cuts));
          const kept = frames.filter(({ isOversize }) => !isOversize).map(({ bytes }) => bytes);
          expect(passed(events).equals(Buffer.concat(kept))).toBe(true);
          expect(framesOf(events).map(({ size }) => size)).toEqual(kept.map((bytes) => bytes.length));
          expect(faultsIn(events)).toEqual(faultsIn(feed(LIMITS, [stream])));
          expect(faultsIn(events)).toHaveLength(2 * (frames.length - kept.length));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('survives any garbage, and keeps nothing of it in memory beyond one head', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 40 }), (parts) => {
        const chunks = parts.map((part) => Buffer.from(part));
        const events = feed(LIMITS, chunks);
        const violations = events.filter(({ kind }) => kind === 'violation').length;
        expect(violations).toBeLessThanOrEqual(1);
        if (violations === 1) expect(events.at(-1)?.kind).toBe('violation');
        expect(passed(events).length).toBeLessThanOrEqual(Buffer.concat(chunks).length);
      }),
    );
  });
});

/** Cuts at the given lengths, over and over; single bytes when there are none. */
function cut(stream: Buffer, lengths: number[]): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0, turn = 0; at < stream.length; turn++) {
    const length = lengths[turn % Math.max(1, lengths.length)] ?? 1;
    chunks.push(stream.subarray(at, at + length));
    at += length;
  }
  return chunks;
}

function oversizeWithTopicLength(topicLength: number): Buffer {
  const bytes = Buffer.from(publish(300));
  bytes.writeUInt16BE(topicLength, 3);
  return bytes;
}
