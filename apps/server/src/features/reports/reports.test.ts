import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PRINTED } from '@headrace/contract/reports';
import { paperOf } from '@headrace/paper/made';
import type { Paper } from '@headrace/paper/paper';
import { type CommandsKit, createCommandsKit } from '../commands/testing/commands-kit.ts';
import type { FarmDriver } from '../commands/testing/farm-driver.ts';
import { createPrinter } from './printer.ts';

/** A farm in New Zealand; a sprinkler waters on 20/11 from 18:14 to 18:40 (UTC+13). */
let kit: CommandsKit;
let driver: FarmDriver;
beforeAll(async () => {
  kit = await createCommandsKit();
  kit.clock.now = new Date('2026-11-20T15:00:00Z');
  driver = await kit.farm({ units: 2 });
  const [unit] = driver.units;
  if (!unit) throw new Error('no unit');
  await driver.reportsValve(unit, 'open', new Date('2026-11-20T05:14:00Z'));
  await driver.reportsValve(unit, 'closed', new Date('2026-11-20T05:40:00Z'));
});
afterAll(() => kit.close());

const get = (
  call: 'GET /reportspdf/irrdiary/summary' | 'GET /reports/irrigation-diary.csv',
  days: { start?: string; stop?: string } = {},
) => kit.server.call(call, { headers: driver.headers, query: { farmUID: driver.farm.uid, ...days } });

describe('the irrigation diary as a report', () => {
  it('is a PDF of the last 30 days, named after them', async () => {
    const reply = await get('GET /reportspdf/irrdiary/summary');
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'application/pdf']);
    expect(reply.headers['content-disposition']).toContain('irrigation-diary-2026-10-23-2026-11-21.pdf');
    expect(reply.rawPayload.subarray(0, 8).toString()).toBe('%PDF-1.7');
    expect(reply.rawPayload.subarray(-6).toString().trim()).toBe('%%EOF');
  });

  it('has its sums as a table', async () => {
    const reply = await get('GET /reports/irrigation-diary.csv', { start: '20-11-2026', stop: '20-11-2026' });
    const [head, farm] = reply.body.split('\r\n');
    expect(head).toBe(
      '\uFEFFday,group,planned,watered,missed,short,not_known,kept,mean_mm,litres,litres_least,litres_most',
    );
    expect(farm).toMatch(/^2026-11-20,,/);
  });

  it.each([
    [{ start: '31-02-2026' }, 'start'],
    [{ start: '21-11-2026', stop: '20-11-2026' }, 'stop'],
    [{ start: '01-01-2026', stop: '20-11-2026' }, 'start'],
  ])('refuses days that are none, or too many: %j', async (days, field) => {
    const reply = await get('GET /reportspdf/irrdiary/summary', days);
    expect([reply.statusCode, reply.json<{ field?: string }>().field]).toEqual([400, field]);
  });
});

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
      message: 'The report is too long: ask for fewer days, or take the CSV.',
    });
  });

  it('says the same of a report that takes too much memory', async () => {
    const printer = createPrinter({ ...PRINTED, megabytes: 1 });
    await expect(printer.print(trial)).rejects.toMatchObject({ status: 413 });
  });

  it('begins none of those that wait once it is closed', async () => {
    const printer = createPrinter({ ...PRINTED, atOnce: 1 });
    const all = Promise.allSettled([printer.print(trial), printer.print(trial)]);
    await printer.close();
    expect((await all)[1]).toMatchObject({ status: 'rejected', reason: { status: 503 } });
  });
});
