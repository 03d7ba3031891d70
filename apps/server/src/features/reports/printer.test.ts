import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { PRINTED } from '@headrace/contract/reports';
import { paperOf } from '@headrace/paper/made';
import type { Paper } from '@headrace/paper/paper';
import type { PackOrder, PackPage } from '@headrace/paper/reports/pack-pages';
import { processesOf } from '../../testing/processes-of.ts';
import { createPrinter } from './printer.ts';

describe('the printer', () => {
  const trial: Paper = paperOf(
    {
      farm: 'Rakaia Downs',
      zone: { timeZoneId: 'Pacific/Auckland', rawOffset: 43_200, dstOffset: 3600, dstEnabled: true },
      by: 'Mere Ellison',
      at: Date.parse('2026-11-21T17:30:00Z'),
    },
    { title: 'Trial', parts: [] },
  );

  /** Asks for those that began since: another test's may still rest. */
  function newProcesses(): () => number[] {
    const all = () => processesOf(process.pid, 'paper-program');
    const others = all();
    return () => all().filter((pid) => !others.includes(pid));
  }
  function longOf(length: number): Paper {
    const rows = Array.from({ length }, (_none, n) => [`A${n}`, `of ${n}`]);
    const columns = [{ title: 'NAME', isRowHead: true }, { title: 'NOTE' }];
    return { ...trial, parts: [{ kind: 'table', summary: 'Long', columns, rows }] };
  }

  it('takes no more than may wait, and goes on after that', async () => {
    const printer = createPrinter({ ...PRINTED, atOnce: 1, waiting: 1 });
    const [one, other, third] = await Promise.allSettled([1, 2, 3].map(() => printer.print(trial)));
    expect([one?.status, other?.status, third?.status]).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(third).toMatchObject({ reason: { status: 429 } });
    expect((await printer.print(trial)).length).toBeGreaterThan(1000);
  });

  it('gives up on a report that takes too long, and is ready for the next', async () => {
    const printer = createPrinter({ ...PRINTED, seconds: 0 });
    await expect(printer.print(trial)).rejects.toMatchObject({
      status: 413,
      message: 'The report takes too long or too much memory: ask for fewer days, or take the CSV.',
    });
  });

  it('ends a report that nobody wants any more, begins none of those that wait for it, and goes on', async () => {
    const printer = createPrinter({ ...PRINTED, atOnce: 1 });
    const long = longOf(20_000);
    const gone = new AbortController();
    const all = Promise.allSettled([printer.print(long, gone.signal), printer.print(long, gone.signal)]);
    const next = printer.print(trial);
    gone.abort(new Error('gone'));
    expect(await all).toMatchObject([
      { status: 'rejected', reason: { message: 'gone' } },
      { status: 'rejected', reason: { message: 'gone' } },
    ]);
    expect((await next).length).toBeGreaterThan(1000);
    await printer.close();
  });

  it('says of a pack whose pages can’t be read why, and is ready for the next', async () => {
    const printer = createPrinter({ ...PRINTED, atOnce: 1 });
    const order = { kind: 'pack', reckoned: [], meters: [] } as unknown as PackOrder;
    async function* pages(): AsyncGenerator<PackPage, void> {
      yield { of: 'days', meter: 0, days: [] };
      throw new Error('the database is away');
    }
    const pack = printer.pack(order, { pages: pages(), onStep() {}, onMissing() {} });
    await expect(pack).rejects.toThrow('the database is away');
    expect((await printer.print(trial)).length).toBeGreaterThan(1000);
    await printer.close();
  });

  it('says the same of a report that takes too much memory, and is ready for the next', async () => {
    const printer = createPrinter({ ...PRINTED, atOnce: 1, megabytes: 32 });
    await expect(printer.print(longOf(60_000))).rejects.toMatchObject({ status: 413 });
    expect((await printer.print(trial)).length).toBeGreaterThan(1000);
    await printer.close();
  });

  it('says of one whose process was killed how it ended, makes the next in another, and leaves none', async () => {
    const own = newProcesses();
    const printer = createPrinter({ ...PRINTED, atOnce: 1 });
    const made = printer.print(longOf(20_000));
    const [pid = 0] = own();
    process.kill(pid, 'SIGKILL');
    await expect(made).rejects.toThrow('A report ended before it was made (SIGKILL).');
    expect((await printer.print(trial)).length).toBeGreaterThan(1000);
    const next = own();
    expect([next.length, next.includes(pid)]).toEqual([1, false]);
    await printer.close();
    expect(own()).toEqual([]);
  });

  it('goes on where the process is asked to end as all are at Ctrl-C, since the server ends it', async () => {
    const own = newProcesses();
    const printer = createPrinter({ ...PRINTED, atOnce: 1 });
    const first = await printer.print(trial);
    for (const pid of own()) {
      process.kill(pid, 'SIGINT');
      process.kill(pid, 'SIGTERM');
    }
    expect(Buffer.compare(await printer.print(trial), first)).toBe(0);
    await printer.close();
  });

  it('makes reports one after the other in the same process, each the same bytes, and goes on after one that failed', async () => {
    const printer = createPrinter({ ...PRINTED, atOnce: 1 });
    const first = await printer.print(trial);
    expect(Buffer.compare(await printer.print(trial), first)).toBe(0);
    // No part of a paper: the process is of no use after it.
    const broken = { ...trial, parts: [{ kind: 'table' }] } as unknown as Paper;
    await expect(printer.print(broken)).rejects.toThrow();
    expect(Buffer.compare(await printer.print(trial), first)).toBe(0);
    await printer.close();
  });

  it('makes the first report in the process that was prepared for it, which ends where nobody asks for one', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const own = newProcesses();
    const printer = createPrinter();
    printer.prepare();
    printer.prepare();
    const prepared = own();
    expect(prepared).toHaveLength(1);
    expect((await printer.print(trial)).length).toBeGreaterThan(1000);
    expect(own()).toEqual(prepared);
    vi.advanceTimersByTime(30_000);
    await expect.poll(own).toEqual([]);
    await printer.close();
    printer.prepare();
    expect(own()).toEqual([]);
  });

  it('makes a report that is asked for while a process ends, as none was asked for so long', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const printer = createPrinter();
    const first = await printer.print(trial);
    vi.advanceTimersByTime(30_000);
    expect(Buffer.compare(await printer.print(trial), first)).toBe(0);
    await printer.close();
  });

  it('begins none of those that wait once it is closed', async () => {
    const printer = createPrinter({ ...PRINTED, atOnce: 1 });
    const all = Promise.allSettled([printer.print(trial), printer.print(trial)]);
    await printer.close();
    expect((await all)[1]).toMatchObject({ status: 'rejected', reason: { status: 503 } });
  });
});
