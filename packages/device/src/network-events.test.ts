import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import fixtures from '../fixtures/network-events.json' with { type: 'json' };
import { decodeNetworkEvent } from './network-events.ts';
import { type ChirpstackTopic, parseTopic, type TheThingsStackTopic } from './topics.ts';

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const topicOf = (topic: string) => parseTopic(topic) as ChirpstackTopic | TheThingsStackTopic;

describe('what a network server tells beside payloads', () => {
  it.each(fixtures)('$name', ({ topic, message, event }) => {
    const expected = event && { devEui: 'A84041FFFF1829D3', ...event };
    expect(decodeNetworkEvent(topicOf(topic), bytes(message))).toEqual({ ok: true, event: expected });
  });

  it.each([
    [{ time: '2026-01-14T18:04:10Z', deviceInfo: { devEui: 'a84041ffff1829d9' } }, 'DevEUI of the topic'],
    [{ time: 'now', deviceInfo: { devEui: 'a84041ffff1829d3' } }, 'time must be an ISO-8601 time'],
    [{ time: '2026-01-14T18:04:10Z' }, 'required properties deviceInfo'],
  ])('says what is wrong with %j', (message, reason) => {
    const topic = topicOf('application/17c82e96/device/a84041ffff1829d3/event/join');
    expect(decodeNetworkEvent(topic, bytes(message))).toMatchObject({
      ok: false,
      reason: expect.stringContaining(reason) as string,
    });
  });

  it('never throws', () => {
    const topics = fixtures.map(({ topic }) => topicOf(topic));
    fc.assert(
      fc.property(fc.constantFrom(...topics), fc.jsonValue(), (topic, value) => {
        decodeNetworkEvent(topic, bytes(value));
      }),
    );
  });
});
