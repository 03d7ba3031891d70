import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WaterApplication } from '@headrace/contract/farms';
import { wateringRuns } from '@headrace/contract/rules/watering-runs';
import { RUNS_PER_PAGE, type WateringRun } from '@headrace/contract/waterings';
import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import { buildGroup } from '../../testing/irrigation-factories.ts';
import { type CommandsKit, createCommandsKit } from '../commands/testing/commands-kit.ts';
import type { FarmDriver } from '../commands/testing/farm-driver.ts';

/** When valves were open, as it is kept of what units report and answer. Minutes count from 05:00. */
let kit: CommandsKit;
let driver: FarmDriver;
beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());
beforeEach(async () => {
  kit.clock.now = new Date('2026-11-20T08:00:00Z');
  driver = await kit.farm({ units: 2 });
});

const START = Date.parse('2026-11-20T05:00:00Z');
const at = (minute: number) => new Date(START + minute * 60_000);
const unit = (index = 0) => {
  const found = driver.units[index];
  if (!found) throw new Error('no such unit');
  return found;
};
const said = (minute: number, valve: 'open' | 'closed', index = 0) =>
  driver.reportsValve(unit(index), valve, at(minute));

interface Held {
  since: Date;
  until: Date;
  entries: ScheduleEntry[] | null;
}
/** What the first unit held from then until then; null: a schedule that nobody knows. */
async function holds({ since, until, entries }: Held): Promise<void> {
  const { farm_id, id: device_id } = unit();
  const kept = { entries: entries && JSON.stringify(entries), cycle_days: entries && 1 };
  await kit.server.database.db
    .insertInto('unit_held')
    .values({ farm_id, device_id, since, until, crc: '1A:2B', how: 'said', ...kept })
    .execute();
}

/** A group of the first unit with a water application of its own. */
async function group(name: string, water: WaterApplication): Promise<void> {
  const { db } = kit.server.database;
  const uid = await buildGroup(db, driver.farm.id, name, [unit()]);
  await db
    .updateTable('device_group')
    .set({ wal_config: JSON.stringify(water) })
    .where('uid', '=', uid)
    .execute();
}

async function ask(query: object): Promise<{ runs: WateringRun[]; next: string | null }> {
  const reply = await kit.server.call('GET /ipc/runs', {
    headers: driver.headers,
    query: { farmUID: driver.farm.uid, from: at(-60).toISOString(), to: at(24 * 60).toISOString(), ...query },
  });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json();
}

/** Minutes of opening, newest word of it, and closing. */
async function runs(query: object = {}): Promise<[number, number, number | null][]> {
  const minute = (time: string) => (Date.parse(time) - START) / 60_000;
  return (await ask(query)).runs.map(({ openedAt, openUntil, closedAt }) => [
    minute(openedAt),
    minute(openUntil),
    closedAt === null ? null : minute(closedAt),
  ]);
}

describe('a run', () => {
  it('begins with the report of open and ends with that of closed', async () => {
    await said(14, 'open');
    expect(await runs()).toEqual([[14, 14, null]]);
    await said(40, 'closed');
    expect((await ask({})).runs).toEqual([
      {
        uid: unit().uid,
        openedAt: '2026-11-20T05:14:00.000Z',
        openedHow: 'said',
        openUntil: '2026-11-20T05:14:00.000Z',
        closedAt: '2026-11-20T05:40:00.000Z',
        closedHow: 'said',
        commandId: null,
        endsAt: null,
        // 4 L/s by the system's design: 4 × 8.620428 × 7.2 ÷ 1440.
        mmPerMin: expect.closeTo(0.172409, 6),
      },
    ]);
  });

  it('was to close when the unit asked for it by what it held then, or the command that opened it', async () => {
    // 18:12 in New Zealand's summer time is 05:12 UTC.
    await holds({
      since: at(-60),
      until: at(60),
      entries: [{ start: 18 * 60 + 12, duration: 28, cycle: 1 }],
    });
    await said(14, 'open');
    await said(170, 'closed');
    // It is minute 180.
    const on = await driver.command('ValveOn', { mac: unit().mac, payload: { maxOpenMinutes: 30 } });
    await driver.answers(on, 'done');
    expect((await ask({})).runs.map(({ endsAt }) => endsAt)).toEqual([
      at(40).toISOString(),
      at(210).toISOString(),
    ]);
  });

  it('that nothing asked for, or of a time of which it is not known what the unit held, has no end', async () => {
    await holds({ since: at(0), until: at(60), entries: [{ start: 18 * 60 + 12, duration: 28, cycle: 1 }] });
    await holds({ since: at(60), until: at(120), entries: null });
    for (const minute of [50, 70, 130]) {
      await said(minute, 'open');
      await said(minute + 2, 'closed');
    }
    expect((await ask({})).runs.map(({ endsAt }) => endsAt)).toEqual([null, null, null]);
  });

  it('gives a minute what its groups were set to when it began, and where they differed what the farm was', async () => {
    // 60 × 5 ÷ 600 = 0.5 mm, 60 × 5 ÷ 300 = 1 mm; by the system's design 4 × 8.620428 × 7.2 ÷ 1440.
    const water = (sprinklerCoverage: number) => ({
      ...driver.farm.wal_config,
      type: 'SprinklerParameters' as const,
      sprinklerFlow: 5,
      sprinklerCoverage,
    });
    await group('North', water(600));
    await said(14, 'open');
    await said(40, 'closed');
    await group('Early', water(600));
    await said(50, 'open');
    await group('South', water(300));
    // It goes on with what it began with.
    await said(60, 'closed');
    await said(70, 'open');
    expect((await ask({})).runs.map(({ mmPerMin }) => mmPerMin)).toEqual([
      0.5,
      0.5,
      expect.closeTo(0.172409, 6),
    ]);
  });

  it('keeps what it gave when it is found to have begun earlier', async () => {
    await said(14, 'open');
    await group('North', {
      ...driver.farm.wal_config,
      type: 'SprinklerParameters',
      sprinklerFlow: 5,
      sprinklerCoverage: 600,
    });
    await said(10, 'open');
    expect((await ask({})).runs).toMatchObject([
      { openedAt: at(10).toISOString(), mmPerMin: expect.closeTo(0.172409, 6) },
    ]);
  });

  it('goes on with a second report of open, and none begins with closed alone', async () => {
    await said(5, 'closed');
    await said(14, 'open');
    await said(20, 'open');
    await said(40, 'closed');
    await said(50, 'closed');
    expect(await runs()).toEqual([[14, 20, 40]]);
  });

  it('ends where a late report says closed, and one after it begins another', async () => {
    await said(14, 'open');
    await said(30, 'open');
    await said(40, 'closed');
    await said(20, 'closed');
    expect(await runs()).toEqual([
      [14, 14, 20],
      [30, 30, 40],
    ]);
  });

  it('begins earlier by a late report of open, unless it was closed between', async () => {
    await said(14, 'open');
    await said(10, 'open');
    expect(await runs()).toEqual([[10, 14, null]]);
    await said(8, 'closed');
    await said(6, 'open');
    expect(await runs()).toEqual([
      [6, 6, 8],
      [10, 14, null],
    ]);
  });

  it('of which only the end came in time is found when its beginning comes late', async () => {
    await said(40, 'closed');
    await said(14, 'open');
    expect(await runs()).toEqual([[14, 14, 40]]);
  });

  it('is the same when its reports come again', async () => {
    for (let time = 0; time < 2; time += 1) {
      await said(14, 'open');
      await said(40, 'closed');
    }
    expect(await runs()).toEqual([[14, 14, 40]]);
  });

  it('of a unit is its own', async () => {
    await said(14, 'open', 0);
    await said(20, 'closed', 1);
    expect(await runs()).toEqual([[14, 14, null]]);
    expect(await runs({ uid: unit(1).uid })).toEqual([]);
  });

  it('that a command opened and another closed has both from their answers, and names the first', async () => {
    kit.clock.now = at(14);
    const on = await driver.command('ValveOn', { mac: unit().mac, payload: { maxOpenMinutes: 30 } });
    await driver.answers(on, 'done');
    kit.clock.now = at(20);
    const off = await driver.command('ValveOff');
    await driver.answers(off, 'done');
    expect((await ask({})).runs).toMatchObject([
      {
        openedAt: '2026-11-20T05:14:00.000Z',
        openedHow: 'answered',
        closedAt: '2026-11-20T05:20:00.000Z',
        closedHow: 'answered',
        commandId: on,
      },
    ]);
  });
});

it('reports in any order, and some twice, give the runs of all of them in order', async () => {
  const report = fc.record({ minute: fc.integer({ min: 0, max: 40 }), isOpen: fc.boolean() });
  // At one time a unit says one thing: of two the first is stored.
  const reports = fc.uniqueArray(report, { minLength: 1, maxLength: 12, selector: ({ minute }) => minute });
  let day = 0;
  await fc.assert(
    fc.asyncProperty(reports, fc.array(fc.nat({ max: 11 }), { maxLength: 4 }), async (said, again) => {
      day += 1;
      const time = (minute: number) => new Date(START - day * 86_400_000 + minute * 60_000);
      // Closed on the day before: what is under way there ends.
      await driver.reportsValve(unit(), 'closed', time(-600));
      await driver.reportsValve(unit(), 'closed', time(600));
      const repeated = again.flatMap((index) => said[index] ?? []);
      for (const { minute, isOpen } of [...said, ...repeated])
        await driver.reportsValve(unit(), isOpen ? 'open' : 'closed', time(minute));
      const all = [...said, { minute: 600, isOpen: false }].map(({ minute, isOpen }) => ({
        at: time(minute).getTime(),
        isOpen,
        how: 'said' as const,
      }));
      const stored = await ask({ from: time(-599).toISOString(), to: time(599).toISOString() });
      expect(stored.runs.map(({ openedAt, openUntil, closedAt }) => [openedAt, openUntil, closedAt])).toEqual(
        wateringRuns(all).map(({ openedAt, openUntil, closedAt }) =>
          [openedAt, openUntil, closedAt].map((ms) => ms && new Date(ms).toISOString()),
        ),
      );
    }),
    { numRuns: 25 },
  );
});

describe('asked for', () => {
  it('gives those that were open in the time, also at its edges', async () => {
    await said(14, 'open');
    await said(40, 'closed');
    const between = (from: number, to: number) =>
      runs({ from: at(from).toISOString(), to: at(to).toISOString() });
    expect(await between(39, 60)).toHaveLength(1);
    expect(await between(40, 60)).toHaveLength(0);
    expect(await between(0, 14)).toHaveLength(0);
    expect(await between(0, 15)).toHaveLength(1);
  });

  it('comes a page at a time, each run once', async () => {
    const { db } = kit.server.database;
    const rows = Array.from({ length: RUNS_PER_PAGE + 3 }, (_, index) => ({
      farm_id: driver.farm.id,
      device_id: unit(index % 2).id,
      // Two at each time, one of each unit.
      opened_at: at(Math.floor(index / 2)),
      opened_how: 'said' as const,
      open_until: at(Math.floor(index / 2)),
      closed_at: at(Math.floor(index / 2) + 0.5),
      closed_how: 'said' as const,
      lps: 4,
      mm_per_min: 0.1724,
      is_part: false,
    }));
    await db.insertInto('watering_run').values(rows).execute();
    const first = await ask({});
    expect(first.runs).toHaveLength(RUNS_PER_PAGE);
    const second = await ask({ after: first.next });
    expect(second.runs).toHaveLength(3);
    expect(second.next).toBeNull();
    const keys = [...first.runs, ...second.runs].map(({ uid, openedAt }) => `${uid} ${openedAt}`);
    expect(new Set(keys).size).toBe(RUNS_PER_PAGE + 3);
  });

  it.each([
    ['that ends before it begins', { from: at(5), to: at(4) }, 'Must be after from.'],
    [
      'of more than 31 days of a farm',
      { from: at(0), to: at(32 * 1440) },
      'Must be at most 31 days after from.',
    ],
  ])('a time %s is refused', async (_, { from, to }, message) => {
    const reply = await kit.server.call('GET /ipc/runs', {
      headers: driver.headers,
      query: { farmUID: driver.farm.uid, from: from.toISOString(), to: to.toISOString() },
    });
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({ errorMessage: message, field: 'to' });
  });
});
