import { describe, expect, it } from 'vitest';
import { type Outgoing, OutgoingQueue } from './outgoing-queue.ts';

const SIZE = { messages: 3, bytes: 1_000 };
const brief = ({ topic, packetId, dup }: Outgoing) => `${topic}#${packetId}${dup ? ' again' : ''}`;

describe('outgoing queue', () => {
  it('sends in order, no more than its window at a time, and resolves on acknowledgement', async () => {
    const queue = new OutgoingQueue(SIZE, 2);
    const sent: string[] = [];
    const promises = ['a', 'b', 'c'].map((topic) => queue.add(topic, '{}', false));
    queue.attach((message) => sent.push(brief(message)));
    expect(sent).toEqual(['a#1', 'b#2']);
    queue.acknowledged(1);
    expect(sent).toEqual(['a#1', 'b#2', 'c#3']);
    await promises[0];
    queue.acknowledged(2);
    queue.acknowledged(3);
    queue.acknowledged(3);
    await Promise.all(promises);
    expect(queue.size).toBe(0);
  });

  it('sends the unacknowledged again on the next connection, under the same id and marked', () => {
    const queue = new OutgoingQueue(SIZE);
    const sent: string[] = [];
    queue.attach(() => undefined);
    void queue.add('a', '{}', false);
    queue.detach();
    void queue.add('b', '{}', false);
    queue.attach((message) => sent.push(brief(message)));
    expect(sent).toEqual(['a#1 again', 'b#2']);
  });

  it('asks what changes by the time again each time it leaves, also where it waited or broke off', () => {
    const queue = new OutgoingQueue(SIZE, 1);
    const sent: string[] = [];
    const send = ({ topic, payload }: Outgoing) => sent.push(`${topic} ${payload}`);
    let time = 1;
    for (const topic of ['a', 'b']) void queue.add(topic, () => String(time), false);
    time = 2;
    queue.attach(send);
    queue.detach();
    time = 3;
    queue.attach(send);
    time = 4;
    queue.acknowledged(1);
    expect(sent).toEqual(['a 2', 'a 3', 'b 4']);
  });

  it('refuses what is too much, by number and by bytes, and has room again later', async () => {
    const queue = new OutgoingQueue(SIZE);
    const large = queue.add('a', 'x'.repeat(990), false);
    await expect(queue.add('b', 'x'.repeat(10), false)).rejects.toThrow(
      'too many messages wait for the broker',
    );
    queue.attach(() => undefined);
    queue.acknowledged(1);
    await large;
    const small = [1, 2, 3].map(() => queue.add('c', '', false));
    await expect(queue.add('d', '', false)).rejects.toThrow('too many messages');
    queue.rejectAll(new Error('stopped'));
    expect((await Promise.allSettled(small)).map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
  });

  it('never uses the id of a message still under way, over the whole circle of ids', () => {
    const queue = new OutgoingQueue({ messages: 10, bytes: 1_000 });
    const ids: number[] = [];
    queue.attach(({ packetId }) => ids.push(packetId));
    void queue.add('stuck', '', false);
    for (let count = 0; count < 65_535; count++) {
      void queue.add('t', '', false);
      queue.acknowledged(ids.at(-1) ?? 0);
    }
    expect(ids.slice(0, 3)).toEqual([1, 2, 3]);
    expect(ids.slice(-2)).toEqual([65_535, 2]);
  });
});
