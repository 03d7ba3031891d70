import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forgetOldCommands } from './commands.repo.ts';
import { type CommandsKit, createCommandsKit } from './testing/commands-kit.ts';
import { pause } from './testing/eventually.ts';
import type { FarmDriver } from './testing/farm-driver.ts';

/** 200,000 commands of the past, a hundred units of ten farms each with 200 of them: what is done every second must not read them. */
let kit: CommandsKit;
let driver: FarmDriver;
const farms: FarmDriver[] = [];
const FARMS = 10;
const EACH = 20_000;

beforeAll(async () => {
  kit = await createCommandsKit();
  for (let index = 0; index < FARMS; index += 1) farms.push(await kit.farm({ units: 100 }));
  driver = farms[4] ?? (await kit.farm());
  for (const farm of farms) await addPast(farm);
  await kit.server.database.pool.query('analyze');
}, 120_000);
afterAll(() => kit.close());

/** Valves that were opened and closed, a command every 27 minutes for a year. */
async function addPast({ farm, units, gateway }: FarmDriver): Promise<void> {
  await kit.server.database.pool.query(
    `with c as (insert into command (farm_id, uid, type, name, serial_number, payload, created_at, expires_at, state, state_at)
        select $1::int, lpad(to_hex($1::int), 8, '0') || lpad(to_hex(n), 16, '0'), case when n % 50 = 0 then 23 else 2 end, 'x', 'x', '{}', at, at + interval '10 minutes', 'done', at
        from generate_series(1, ${EACH}) n, lateral (select $4::timestamptz - n * interval '27 minutes' as at) t
        returning farm_id, id, uid, created_at),
      u as (insert into command_unit (farm_id, command_id, device_id, gateway_id, position, lane, state, at, cmd_id, opened_at, closes_by, closed_at)
        select farm_id, id, ($3::int[])[1 + id % 100], $2, 0, 1, case when id % 40 = 0 then 'expired' else 'done' end, created_at, uid,
          created_at, created_at, created_at from c)
      insert into command_step (farm_id, command_id, at, state) select farm_id, id, created_at, 'done' from c`,
    [farm.id, gateway.id, units.map(({ id }) => id), kit.clock.now],
  );
}

/** Rows read so far, by table. What connections have counted is told at once instead of within ten seconds. */
async function rowsRead(): Promise<Record<string, number>> {
  const { pool } = kit.server.database;
  const clients = await Promise.all(Array.from({ length: 12 }, () => pool.connect()));
  for (const client of clients) await client.query('select pg_stat_force_next_flush()');
  for (const client of clients) client.release();
  const { rows } = await pool.query<{ relname: string; n: number }>(
    `select relname, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as n from pg_stat_user_tables
      where relname in ('command', 'command_unit', 'command_step') order by 1`,
  );
  return Object.fromEntries(rows.map(({ relname, n }) => [relname, n]));
}

describe('among 200,000 commands', () => {
  it('each step of a command’s life reads few', async () => {
    const before = await rowsRead();
    for (let turn = 0; turn < 8; turn += 1) {
      const unit = driver.units[turn];
      if (!unit) throw new Error('no unit');
      const uid = await driver.command('ValveOn', { mac: unit.mac });
      await driver.answers(uid, 'accepted');
      await driver.hello();
      await kit.tick();
      await driver.reportsValve(unit, 'open');
      await driver.answers(uid, 'done');
      kit.pass(1);
      await driver.reportsValve(unit, 'closed');
      await kit.tick();
      for (const query of [{}, { before: uid }] as Record<string, string>[])
        await kit.server.call('GET /commands', {
          headers: driver.headers,
          query: { farmUID: driver.farm.uid, ...query },
        });
      expect((await driver.detail(uid)).units[0]?.valve?.closedAt).not.toBeNull();
    }
    await pause();
    const after = await rowsRead();
    // Eight lives of ten steps. Whoever looks at all commands of one farm once reads 20,000.
    for (const [table, count] of Object.entries(after))
      expect(count - (before[table] ?? 0), table).toBeLessThan(EACH);
  });

  it('Pings are forgotten after a week, all after a year, with their units and steps', async () => {
    const { db, pool } = kit.server.database;
    await forgetOldCommands(db, kit.clock.now);
    const left = async (where: string) =>
      (await pool.query<{ n: number }>(`select count(*)::int as n from command where ${where}`)).rows[0]?.n;
    const days = (n: number) => `'${new Date(kit.clock.now.getTime() - n * 86_400_000).toISOString()}'`;
    expect(await left(`type = 23 and created_at < ${days(7)}`)).toBe(0);
    // A Ping is every 50th of one in 27 minutes: 7 in a week for each farm.
    expect(await left('type = 23')).toBe(7 * FARMS);
    expect(await left(`created_at < ${days(365)}`)).toBe(0);
    expect(await left(`type = 2 and created_at < ${days(360)}`)).toBeGreaterThan(0);
    const orphans = await pool.query(
      `select x.command_id from (select farm_id, command_id from command_step union all select farm_id, command_id from command_unit) x
        left join command c on c.farm_id = x.farm_id and c.id = x.command_id where c.id is null`,
    );
    expect(orphans.rowCount).toBe(0);
  });

  it('a device’s parts of commands go with it, and no others', async () => {
    const { pool } = kit.server.database;
    const [gone, other] = driver.units.slice(-2).map(({ id }) => id);
    const parts = async (id: number | undefined) =>
      (
        await pool.query<{ n: number }>(
          'select count(*)::int as n from command_unit where farm_id = $1 and device_id = $2',
          [driver.farm.id, id],
        )
      ).rows[0]?.n;
    const ofOther = await parts(other);
    expect(await parts(gone)).toBeGreaterThan(100);
    expect(ofOther).toBeGreaterThan(100);
    await pool.query('delete from device where farm_id = $1 and id = $2', [driver.farm.id, gone]);
    expect([await parts(gone), await parts(other)]).toEqual([0, ofOther]);
  });
});
