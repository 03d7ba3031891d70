import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { buildAccount, buildFarm, buildGateway, buildTank } from '../../testing/factories.ts';
import { createIngestKit, type IngestKit } from '../../testing/ingest-kit.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { releaseHeld } from '../dead-letters/release-held.ts';
import { createOwnClock, type OwnClock } from './own-clock.ts';

let database: TestDatabase;
let kit: IngestKit;
let own: OwnClock;
let said: string[];
let second: Site;
interface Site {
  farm: FarmRow;
  gateway: DeviceRow;
  tank: DeviceRow;
}

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  said = [];
  const log = { warn: () => {}, error: () => {} };
  own = createOwnClock({
    pool: database.pool,
    now: () => kit.clock.now,
    log,
    onDoubt: (sentence) => said.push(sentence),
  });
  kit = await createIngestKit({ clock: own.watch }, database);
  second = await site();
  return () => kit.close();
});

async function site(): Promise<Site> {
  const owner = await buildAccount(database.db);
  const farm = await buildFarm(database.db, owner.id);
  return {
    farm,
    gateway: await buildGateway(database.db, farm.id),
    tank: await buildTank(database.db, farm.id),
  };
}
/** The server believes that it is 21:00. */
const at = (time: string) => `2026-11-20T${time}:00Z`;
function level({ gateway, tank }: Pick<Site, 'gateway' | 'tank'>, time: string) {
  const body = { items: [{ mac: tank.mac, at: at(time), values: { levelMm: 1 } }] };
  return kit.store('up/sensor', body, {
    topic: `headrace/v1/${gateway.mac}/up/sensor`,
    sender: kit.sender(gateway),
  });
}
const stored = async () => {
  const { rows } = await database.pool.query<{ at: string }>(
    "select to_char(at at time zone 'utc', 'HH24:MI') as at from reading order by 1",
  );
  return rows.map((row) => row.at);
};
const letters = async () => {
  const { rows } = await database.pool.query<{ held: boolean; count: number; taken: number }>(
    'select is_held as held, count::int, taken::int from dead_letter order by is_held, count desc',
  );
  return rows;
};
const release = () => releaseHeld(database.db, kit.ingest.replay, kit.clock.now);

describe('while our clock is two hours behind', () => {
  it('readings are held once two farms say so, those refused before too, and are taken when it is right', async () => {
    const sent = [await level(kit, '23:00'), await level(second, '23:00')];
    expect(sent.every(({ isAcknowledged }) => isAcknowledged)).toBe(true);
    expect(said).toEqual([
      "this server's clock is about 2 h behind, say 2 gateways or network servers of 2 farms: set it; what they send meanwhile is kept and taken then",
    ]);
    expect(own.fault()).toBe(said[0]);
    await level(kit, '23:01');
    await own.check();
    await release();
    expect(await stored()).toEqual([]);
    // Both of the farm, the one from before it was noticed too, and the other farm's.
    expect((await letters()).filter(({ held }) => held).map(({ count }) => count)).toEqual([2, 1]);
    expect(await release()).toMatchObject({ taken: 0, failed: 0 });

    kit.clock.now = new Date(at('23:02'));
    expect(await release()).toMatchObject({ taken: 3, failed: 0 });
    expect(await stored()).toEqual(['23:00', '23:00', '23:01']);
    expect((await letters()).map(({ count }) => count)).toEqual([0, 0, 0]);
    // The database of tests has the real time, which is none of theirs.
    own.watch.heardDatabase(0);
    expect(own.fault()).toBeNull();
    await level(kit, '23:02');
    expect(await stored()).toHaveLength(4);
  });

  it('what a gateway says of itself counts as said now', async () => {
    await level(kit, '23:00');
    await level(second, '23:00');
    await kit.store('up/status', { at: at('23:00'), settings: { statusPeriod: 600 } });
    const states = await database.db.selectFrom('gateway_state').select('settings').execute();
    expect(states.map(({ settings }) => settings)).toContainEqual({ statusPeriod: 600 });
  });

  it('a gateway that is wrong by quite other times has its readings refused', async () => {
    await level(kit, '23:00');
    await level(second, '23:00');
    const third = await site();
    const body = { items: [{ mac: third.tank.mac, at: '2031-01-01T00:00:00Z', values: { levelMm: 1 } }] };
    await kit.store('up/sensor', body, {
      topic: `headrace/v1/${third.gateway.mac}/up/sensor`,
      sender: kit.sender(third.gateway),
    });
    const { rows } = await database.pool.query(
      'select 1 from dead_letter where not is_held and farm_id = $1',
      [third.farm.id],
    );
    expect(rows).toHaveLength(1);
  });
});

describe('one gateway whose clock is ahead', () => {
  it('is refused, and waiting makes its readings no truer', async () => {
    await level(second, '21:00');
    await level(kit, '23:00');
    await level(kit, '23:01');
    expect([said, own.fault()]).toEqual([[], null]);
    expect(await letters()).toEqual([{ held: false, count: 2, taken: 0 }]);
    kit.clock.now = new Date(at('23:30'));
    expect(await release()).toMatchObject({ taken: 0 });
    expect(await stored()).toEqual(['21:00']);
  });
});

it("says when the database's clock differs, whichever of both is wrong", async () => {
  own.watch.heardDatabase(-3 * 3_600_000);
  expect(own.fault()).toBe("the database's clock is 3 h behind this server's: set both");
  own.watch.heardDatabase(2 * 3_600_000);
  await level(kit, '23:00');
  expect(own.fault()).toMatch(/^this server's clock is about 2 h behind, say 1 gateways .* and the database/);
  own.watch.heardDatabase(0);
  expect(own.fault()).toBeNull();
});

describe('while our clock is an hour ahead, and the database with it', () => {
  /** The server believes that it is that time; what comes was read an hour before. */
  const saidAt = async (sites: readonly Pick<Site, 'gateway' | 'tank'>[], time: string, read: string) => {
    kit.clock.now = new Date(at(time));
    for (const one of sites) await level(one, read);
  };

  it('three farms that all say so for a quarter of an hour are a warning and told once; two are not', async () => {
    await saidAt([kit, second], '21:00', '20:00');
    await saidAt([kit, second], '21:20', '20:20');
    expect([own.fault(), said]).toEqual([null, []]);
    const sites = [kit, second, await site()];
    await saidAt(sites, '21:25', '20:25');
    expect(own.fault()).toBeNull();
    await saidAt(sites, '21:40', '20:40');
    const sentence =
      "this server's clock is about 60 min ahead, or the 3 gateways and network servers of 3 farms that were heard last all send what is as old: compare it with the time of day";
    expect([own.fault(), own.fault(), said]).toEqual([
      `warning: ${sentence}`,
      `warning: ${sentence}`,
      [sentence],
    ]);
    // Everything was taken all the while.
    expect(await stored()).toHaveLength(10);
    // Set right.
    await saidAt(sites, '20:50', '20:50');
    expect(own.fault()).toBeNull();
  });

  it('what was kept during an outage is late, and says nothing once it has come', async () => {
    const sites = [kit, second, await site()];
    await saidAt(sites, '21:00', '20:00');
    expect(own.fault()).toBeNull();
    await saidAt(sites, '21:04', '21:04');
    expect(own.fault()).toBeNull();
    await saidAt(sites, '21:16', '21:16');
    expect([own.fault(), said]).toEqual([null, []]);
  });
});
