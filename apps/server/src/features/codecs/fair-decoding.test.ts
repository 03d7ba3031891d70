import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FarmRow } from '../../db/schema.ts';
import { buildAccount, buildCodec, buildFarm, buildTank } from '../../testing/factories.ts';
import { createIngestKit, type IngestKit } from '../../testing/ingest-kit.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { chirpstackUplink, networkServerOf } from '../../testing/uplinks.ts';
import { createCodecRunner } from './codec-runner.ts';
import { createCodecsRepo } from './codecs.repo.ts';
import { createSandbox, type Sandbox } from './sandbox/sandbox.ts';
import { SANDBOX_LIMITS } from './sandbox/sandbox-job.ts';

let database: TestDatabase;
let sandbox: Sandbox;
let kit: IngestKit;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => {
  // A busy machine must not make a slow codec too slow.
  sandbox = createSandbox({ limits: { ...SANDBOX_LIMITS, runMs: 20_000 }, watchdogMs: 25_000, threads: 1 });
});
afterEach(async () => {
  await kit.close();
  await sandbox.close();
});

async function open(decodingMs?: { farm: number; account: number }): Promise<void> {
  const decoder = createCodecRunner(createCodecsRepo(database.db), {
    sandbox,
    threads: 1,
    now: () => kit.clock.now,
    log: { warn: () => {} },
    onSwitchedOff: (farmId) => kit.ingest.forget(farmId),
  });
  kit = await createIngestKit({ decoder, ...(decodingMs && { decodingMs }) }, database);
}

/** Slow and never too slow: it is not switched off. */
const slow =
  'function decodeUplink() { const end = Date.now() + 80; while (Date.now() < end); return { data: { levelMm: 1 } }; }';
let count = 0;

/** A sensor whose payloads a codec of its farm decodes. */
async function sensor(farm: FarmRow, script?: string): Promise<{ id: number; mac: string }> {
  const mac = `A84041FFFE${(count += 1).toString(16).toUpperCase().padStart(6, '0')}`;
  const { id } = await buildTank(database.db, farm.id, { mac });
  const codec = await buildCodec(database.db, farm.id, script);
  await database.db.updateTable('device').set({ codec_id: codec.id }).where('id', '=', id).execute();
  return { id, mac };
}

/** `times` uplinks, a minute apart. */
function send(farm: FarmRow, mac: string, times: number) {
  return Array.from({ length: times }, (_, minute) => {
    const at = new Date(Date.UTC(2026, 10, 20, 20, minute)).toISOString();
    const { topic, body } = chirpstackUplink(mac, '0102', { at, fCnt: minute });
    return kit.send('', body, { topic, sender: networkServerOf(farm.id) });
  });
}

async function levels({ id }: { id: number }): Promise<number> {
  const { n } = await database.db
    .selectFrom('reading as r')
    .innerJoin('series as s', 's.id', 'r.series_id')
    .where('s.device_id', '=', id)
    .where('s.metric', '=', 'levelMm')
    .select((eb) => eb.fn.countAll<string>().as('n'))
    .executeTakeFirstOrThrow();
  return Number(n);
}
const waiting = async (farmIds: readonly number[]) =>
  (
    await database.db
      .selectFrom('uplink_due')
      .selectAll()
      .where('farm_id', 'in', [...farmIds])
      .execute()
  ).length;

describe('slow codecs of others', () => {
  it.each([
    ['35 farms of one account', { farms: 35, accounts: 1 }],
    ['10 farms of as many accounts', { farms: 10, accounts: 10 }],
  ])(
    "on %s keep none of a farm's 40 uplinks from being stored, and are slow for themselves alone",
    async (_what, attack) => {
      await open();
      const owners = await Promise.all(
        Array.from({ length: attack.accounts }, () => buildAccount(database.db)),
      );
      const farms: FarmRow[] = [];
      for (let number = 0; number < attack.farms; number += 1) {
        const farm = await buildFarm(database.db, owners[number % owners.length]?.id ?? 0);
        send(farm, (await sensor(farm, slow)).mac, 8);
        farms.push(farm);
      }
      await kit.ingest.drain();
      const tank = await sensor(kit.farm);
      const sent = send(kit.farm, tank.mac, 40);
      await expect.poll(() => levels(tank), { timeout: 40_000 }).toBe(40);
      expect(sent.every(({ isAcknowledged }) => isAcknowledged)).toBe(true);
      expect(await waiting(farms.map(({ id }) => id))).toBeGreaterThan(farms.length * 2);
      expect(await kit.deadLetters()).toEqual([]);
    },
  );

  it('of the same farm let its other sensors have their turns, however long each of theirs is', async () => {
    await open();
    const long = slow.replace('80', '600');
    const mine = await sensor(kit.farm, long);
    send(kit.farm, mine.mac, 6);
    const tank = await sensor(kit.farm);
    send(kit.farm, tank.mac, 2);
    await expect.poll(() => levels(tank), { timeout: 30_000, interval: 50 }).toBe(2);
    expect(await waiting([kit.farm.id])).toBeGreaterThan(2);
  });

  it('rest when their minute is used up, and lose nothing', async () => {
    await open({ farm: 1000, account: 1000 });
    const tank = await sensor(kit.farm, slow);
    const sent = send(kit.farm, tank.mac, 40);
    // All of it is 3.2 s of work; of 1 s a minute there are less than 20 after 5 s.
    await sleep(5000);
    await kit.ingest.stop();
    expect(sent.every(({ isAcknowledged }) => isAcknowledged)).toBe(true);
    // What was being stored when it stopped may go from the one to the other meanwhile.
    await expect.poll(async () => (await levels(tank)) + (await waiting([kit.farm.id]))).toBe(40);
    expect(await levels(tank)).toBeLessThan(25);
    expect(await kit.deadLetters()).toEqual([]);
  });
});
