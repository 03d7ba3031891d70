import { expect, it } from 'vitest';
import { migrate } from './migrate.ts';
import { useUnmigratedDatabase } from '../testing/unmigrated-database.ts';

const database = useUnmigratedDatabase('shares_migration');

/** Three farms of one owner; Ann has them all as a whole, Bob one, Cy one until an end, and the owner's own stray row. */
const before = `
  insert into account (uid, email, name, type, subscription_valid_until) values
    ('o', 'olive@example.com', 'Olive', 'SUBSCRIBER', '2099-01-01'), ('a', 'ann@example.com', 'Ann', 'AGENT', '2099-01-01'),
    ('b', 'bob@example.com', 'Bob', 'AGENT', '2099-01-01'), ('c', 'cy@example.com', 'Cy', 'AGENT', '2099-01-01');
  insert into farm (uid, owner_id, name, lat, lng, wal_config, time_zone_id, raw_offset, dst_offset, dst_enabled)
    select 'f' || n, 1, 'Farm ' || n, -43, 171, '{}', 'Pacific/Auckland', 43200, 3600, true from generate_series(1, 3) n;
  insert into farm_share (farm_id, account_id, template, permissions, expires_at, created_at) values
    (1, 2, 1, '{"farms": 17, "sensors": 1}', null, '2026-01-01'), (2, 2, 3, '{"farms": 17, "sensors": 15}', null, '2026-02-01'),
    (3, 2, 1, '{"farms": 17, "sensors": 1}', null, '2026-01-15'),
    (1, 3, 4, '{"farms": 1, "sensors": 1}', null, '2026-01-01'),
    (2, 4, 2, '{"farms": 15, "sensors": 15}', '2026-12-01T00:00:00Z', '2026-01-01'),
    (3, 1, 2, '{"farms": 15}', null, '2026-01-01')`;

it('keeps who has which farm; farms shared as a whole account become one share of it, with the newest rights', async () => {
  await migrate(database().db, { to: '0010-accounts' });
  await database().pool.query(before);
  await migrate(database().db);
  const shares = await database()
    .db.selectFrom('share')
    .select([
      'owner_id',
      'farm_id',
      'agent_id',
      'email',
      'state',
      'template',
      'permissions',
      'ends_at',
      'contact',
    ])
    .orderBy('agent_id')
    .execute();
  const accepted = { owner_id: 1, state: 'accepted' };
  expect(shares).toEqual([
    {
      ...accepted,
      farm_id: null,
      agent_id: 2,
      email: 'ann@example.com',
      template: 3,
      permissions: { farms: 1, sensors: 15 },
      ends_at: null,
      contact: { name: 'Ann' },
    },
    {
      ...accepted,
      farm_id: 1,
      agent_id: 3,
      email: 'bob@example.com',
      template: 4,
      permissions: { farms: 1, sensors: 1 },
      ends_at: null,
      contact: { name: 'Bob' },
    },
    {
      ...accepted,
      farm_id: 2,
      agent_id: 4,
      email: 'cy@example.com',
      template: 2,
      permissions: { farms: 15, sensors: 15 },
      ends_at: new Date('2026-12-01T00:00:00Z'),
      contact: { name: 'Cy' },
    },
  ]);
  const { rows } = await database().pool.query("select to_regclass('farm_share') as gone");
  expect(rows).toEqual([{ gone: null }]);
});
