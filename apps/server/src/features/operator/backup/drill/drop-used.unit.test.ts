import { DatabaseError } from 'pg';
import { expect, it } from 'vitest';
import { dropUsed, INSUFFICIENT_PRIVILEGE, OBJECT_IN_USE } from './drop-used.ts';

const [PLAIN, FORCED] = ['drop database "trial"', 'drop database "trial" with (force)'];

/** A database that refuses with these codes, one after the other, and then obeys. */
async function dropAfter(codes: readonly string[]) {
  const asked: string[] = [];
  const client = {
    async query(text: string) {
      asked.push(text);
      const code = codes[asked.length - 1];
      if (code !== undefined) throw Object.assign(new DatabaseError(code, 0, 'error'), { code });
    },
  };
  const failed = await dropUsed(client as never, PLAIN).then(
    () => null,
    (error: DatabaseError) => error.code,
  );
  return { asked, failed };
}

const againstAutovacuum = [OBJECT_IN_USE, INSUFFICIENT_PRIVILEGE];

it.each([
  ['that nobody uses', [], [PLAIN]],
  ['in which sessions of a killed program are left', [OBJECT_IN_USE], [PLAIN, FORCED]],
  ['in which autovacuum works besides', againstAutovacuum, [PLAIN, FORCED, PLAIN]],
])('a database %s is dropped', async (_which, codes, expected) => {
  expect(await dropAfter(codes)).toEqual({ asked: expected, failed: null });
});

it('one that is used by whom it may not end is given up at last', async () => {
  const { asked, failed } = await dropAfter(Array.from({ length: 9 }, () => againstAutovacuum).flat());
  expect([asked.length, failed]).toEqual([10, INSUFFICIENT_PRIVILEGE]);
});

it('another fault is a fault', async () => {
  expect(await dropAfter(['57P03'])).toEqual({ asked: [PLAIN], failed: '57P03' });
});
