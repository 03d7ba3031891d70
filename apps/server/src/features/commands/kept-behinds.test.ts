import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BehindRow } from './behind.ts';
import { createBehinds } from './kept-behinds.ts';
import { type CommandsKit, createCommandsKit } from './testing/commands-kit.ts';
import type { FarmDriver } from './testing/farm-driver.ts';

/** Two polls of a farm of 300 under way, the second of which waits for the first. */
const UNITS = 300;

let kit: CommandsKit;
let driver: FarmDriver;
let rows: { first: BehindRow; second: BehindRow };
beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());
beforeEach(async () => {
  driver = await kit.farm({ units: UNITS });
  rows = { first: await poll(), second: await poll() };
});

async function poll(): Promise<BehindRow> {
  const uid = await driver.queue('PollGroup', { payload: { groupUID: 'FARM' } });
  const row = await kit.server.database.db
    .selectFrom('command')
    .select(['farm_id as farmId', 'id', 'type', 'state'])
    .where('uid', '=', uid)
    .executeTakeFirstOrThrow();
  return { ...row, counts: { queued: UNITS } };
}

/** The ticks stand still unless a test moves them. */
function behinds() {
  const at = { ms: 0 };
  const { atOnce, lately } = createBehinds(
    kit.server.database.db,
    () => kit.clock.now,
    () => at.ms,
  );
  /** Of the second poll: how many of its units wait for the first. */
  const waiting = (found: Awaited<ReturnType<typeof lately>>) =>
    found.get(rows.second.id)?.commands.reduce((sum, { units }) => sum + units, 0) ?? 0;
  return {
    at,
    lately: async (...asked: BehindRow[]) => waiting(await lately(asked)),
    atOnce: async (...asked: BehindRow[]) => waiting(await atOnce(asked)),
  };
}

const endFirst = () =>
  kit.server.database.db
    .updateTable('command_unit')
    .set({ state: 'done' })
    .where('farm_id', '=', driver.farm.id)
    .where('command_id', '=', rows.first.id)
    .execute();

describe('what commands of hundreds of units wait for', () => {
  it('is asked once a second for all who look', async () => {
    const { at, lately, atOnce } = behinds();
    const both = [rows.first, rows.second] as const;
    expect(await lately(...both)).toBe(UNITS);
    await endFirst();
    at.ms = 999;
    expect(await lately(...both)).toBe(UNITS);
    expect(await atOnce(...both)).toBe(0);
    at.ms = 1000;
    expect(await lately(...both)).toBe(0);
  });

  it('is asked anew of a command that was sent since', async () => {
    const { lately } = behinds();
    expect(await lately(rows.first, rows.second)).toBe(UNITS);
    await endFirst();
    expect(await lately(rows.first, rows.second, await poll())).toBe(0);
  });

  it('is asked each time where few wait', async () => {
    const { lately } = behinds();
    const second = { ...rows.second, counts: { queued: 500 } };
    expect(await lately(second)).toBe(UNITS);
    await endFirst();
    expect(await lately(second)).toBe(0);
  });
});
