import fc from 'fast-check';
import { expect, it } from 'vitest';
import { WaitingRoom } from './waiting-room.ts';

function openRoom(limits: { perKey: number; all: number }) {
  const gone: string[] = [];
  const room = new WaitingRoom<string>(limits, (guest) => gone.push(guest));
  return { room, gone };
}

it('sends away the one of an address that waits longest, and nobody of another', () => {
  const { room, gone } = openRoom({ perKey: 2, all: 10 });
  for (const guest of ['a1', 'a2', 'b1', 'a3', 'a4']) room.enter(guest.slice(0, 1), guest);
  expect(gone).toEqual(['a1', 'a2']);
  expect(room.count).toBe(3);
});

it('takes from the address that has the most when all have too many', () => {
  const { room, gone } = openRoom({ perKey: 5, all: 4 });
  for (const guest of ['a1', 'b1', 'b2', 'b3', 'c1', 'd1']) room.enter(guest.slice(0, 1), guest);
  expect(gone).toEqual(['b1', 'b2']);
  expect(room.count).toBe(4);
});

it('counts nobody who has left, however often that is said', () => {
  const { room, gone } = openRoom({ perKey: 1, all: 10 });
  const leave = room.enter('a', 'a1');
  leave();
  leave();
  room.enter('a', 'a2');
  leave();
  expect([gone, room.count]).toEqual([[], 1]);
});

it('has never more than its limits, and always the newest', () => {
  const comings = fc.array(fc.record({ key: fc.constantFrom('a', 'b', 'c'), leaves: fc.boolean() }));
  const limits = fc.record({ perKey: fc.integer({ min: 1, max: 4 }), all: fc.integer({ min: 1, max: 6 }) });
  fc.assert(
    fc.property(comings, limits, (list, { perKey, all }) => {
      const inside = new Map<string, string>();
      const room = new WaitingRoom<string>({ perKey, all }, (guest) => inside.delete(guest));
      for (const [index, { key, leaves }] of list.entries()) {
        const guest = `${key}${index}`;
        inside.set(guest, key);
        const leave = room.enter(key, guest);
        expect(inside.has(guest)).toBe(true);
        if (leaves) {
          leave();
          inside.delete(guest);
        }
        expect(room.count).toBe(inside.size);
        expect(inside.size).toBeLessThanOrEqual(all);
        for (const one of 'abc')
          expect([...inside.values()].filter((of) => of === one).length).toBeLessThanOrEqual(perKey);
      }
    }),
  );
});
