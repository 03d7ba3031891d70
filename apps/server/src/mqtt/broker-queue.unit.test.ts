import { expect, it } from 'vitest';
import { watchBrokerQueue } from './broker-queue.ts';

const DROPPED = '$SYS/broker/publish/messages/dropped';
const WAITING = '$SYS/broker/store/messages/count';

function open() {
  const clock = { now: 0 };
  const told: number[] = [];
  const queue = watchBrokerQueue({ max: 1000, now: () => clock.now, onDropped: (count) => told.push(count) });
  return { queue, clock, told, hear: queue.hints.hear };
}

it('says nothing of a broker that says nothing, or what is no count', () => {
  const { queue, hear, told } = open();
  expect([queue.waiting(), queue.dropped(), queue.trouble()]).toEqual([null, null, null]);
  for (const text of ['', 'many', '-1', '1.5', 'NaN']) hear(DROPPED, text);
  for (const text of ['', 'many', '-1']) hear(WAITING, text);
  expect([queue.waiting(), queue.dropped(), told]).toEqual([null, null, []]);
});

it('warns from half of what the broker keeps on', () => {
  const { queue, hear } = open();
  hear(WAITING, '500');
  expect(queue.trouble()).toBeNull();
  hear(WAITING, '501');
  expect(queue.trouble()).toBe(
    'warning: 501 messages wait at the broker, and of more than 1000 it throws away what comes',
  );
});

it('tells for an hour what was thrown away since it listens, not what was before', () => {
  const { queue, clock, hear, told } = open();
  hear(DROPPED, '40');
  expect([queue.trouble(), told]).toEqual([null, []]);
  hear(DROPPED, '45');
  clock.now = 60_000;
  hear(DROPPED, '47');
  expect(told).toEqual([5, 2]);
  expect(queue.trouble()).toBe(
    'the broker threw away 7 messages that it had acknowledged, since more waited than it keeps (1000)',
  );
  clock.now = 60_000 + 3_600_000;
  expect(queue.trouble()).toBeNull();
});

it('takes a smaller count for another start of the broker', () => {
  const { queue, hear, told } = open();
  hear(DROPPED, '40');
  hear(DROPPED, '3');
  expect([told, queue.dropped()]).toEqual([[], 3]);
  hear(DROPPED, '4');
  expect(told).toEqual([1]);
});
