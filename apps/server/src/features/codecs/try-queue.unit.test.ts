import { describe, expect, it } from 'vitest';
import type { Sandbox } from './sandbox/sandbox.ts';
import { createTryQueue } from './try-queue.ts';

const accepted = { kind: 'accepted' } as const;

/** A sandbox whose jobs end when the test says so; what runs, by the script's text. */
function setUp(options: { msPerMinute?: number; waitMs?: number } = {}) {
  const running: { script: string; end: () => void }[] = [];
  const sandbox: Sandbox = {
    run: (_key, script) => new Promise((resolve) => running.push({ script, end: () => resolve(accepted) })),
    giveUp: () => {},
    waiting: () => 0,
    close: async () => {},
  };
  return { running, tries: createTryQueue(sandbox, options) };
}
const tick = () => new Promise((resolve) => setImmediate(resolve));

describe('what people try', () => {
  it('runs one after the other, and the first of others before the second of mine', async () => {
    const { running, tries } = setUp();
    const mine = [tries.run(1, 'mine 1', null), tries.run(1, 'mine 2', null)];
    const other = tries.run(2, 'other', null);
    for (let job = 0; job < 3; job += 1) {
      expect(running).toHaveLength(job + 1);
      running[job]?.end();
      await tick();
    }
    expect(running.map(({ script }) => script)).toEqual(['mine 1', 'other', 'mine 2']);
    expect(await Promise.all([...mine, other])).toEqual([accepted, accepted, accepted]);
  });

  it('that used up the minute of its account is refused with when it goes on, and others are not', async () => {
    const { running, tries } = setUp({ msPerMinute: 20 });
    const first = tries.run(1, 'slow', null);
    const second = tries.run(1, 'next', null);
    await new Promise((resolve) => setTimeout(resolve, 40));
    running[0]?.end();
    await first;
    const refusal = {
      code: 'tooMany',
      message: expect.stringMatching(/Please try again in (a second|\d+ seconds)\.$/) as string,
      retryAfterS: expect.any(Number) as number,
    };
    await expect(second).rejects.toMatchObject(refusal);
    await expect(tries.run(1, 'again', null)).rejects.toMatchObject(refusal);
    void tries.run(2, 'other', null);
    expect(running.at(-1)?.script).toBe('other');
  });

  it('waits for a bounded time, and few of one account wait', async () => {
    const { running, tries } = setUp({ waitMs: 30 });
    const first = tries.run(1, 'stuck', null);
    const waiting = Array.from({ length: 5 }, () => tries.run(1, 'waits', null));
    await expect(tries.run(1, 'one too many', null)).rejects.toMatchObject({
      code: 'tooMany',
      retryAfterS: 5,
    });
    for (const one of waiting) await expect(one).rejects.toMatchObject({ code: 'tooMany', retryAfterS: 60 });
    running[0]?.end();
    await first;
    expect(running).toHaveLength(1);
  });
});
