import { expect, it } from 'vitest';
import { migrate } from './migrate.ts';
import { useUnmigratedDatabase } from '../testing/unmigrated-database.ts';

const database = useUnmigratedDatabase('registry_migration');

/** Farms 1 and 2 are people's, 3 is the demo's. Each MAC is named by what was entered of it. */
const before = `
  insert into account (uid, email, name, type, subscription_valid_until)
    values ('o', 'olive@example.com', 'Olive', 'SUBSCRIBER', '2099-01-01');
  insert into farm (uid, owner_id, name, lat, lng, wal_config, time_zone_id, raw_offset, dst_offset, dst_enabled, is_demo)
    select 'f' || n, 1, 'Farm ' || n, -43, 171, '{}', 'Pacific/Auckland', 43200, 3600, true, n = 3 from generate_series(1, 3) n;
  insert into device (farm_id, uid, kind, name, serial_number, mac, settings, deleted_at) values
    (1, 'gone', 'sprinkler', 'gone', 'S1', 'GONE', '{}', now()),
    (1, 'moved', 'sprinkler', 'moved', 'S2', 'MOVED', '{}', now()), (2, 'moved here', 'sprinkler', 'moved', 'S2', 'MOVED', '{}', null),
    (1, 'own', 'sprinkler', 'own', 'S3', 'OWN', '{}', now()), (2, 'own now', 'sprinkler', 'own', 'S3', 'OWN', '{}', null),
    (2, 'late', 'sprinkler', 'late', 'S4', 'LATE', '{}', null),
    (3, 'demo', 'sprinkler', 'demo', 'S5', 'DEMO', '{}', null), (3, 'demo gone', 'sprinkler', 'demo', 'S6', 'DEMO GONE', '{}', now());
  insert into registry (serial_number, mac, kind, claimed_by) values
    ('S0', 'TYPED ONLY', 'ipc', null), ('S1', 'GONE', 'ipc', 1), ('S2', 'MOVED', 'ipc', 1), ('S3', 'OWN', 'ipc', 1), ('S3', 'OWN', 'ipc', 2),
    ('S4', 'LATE', 'ipc', null), ('s4', 'LATE', 'ipc', 1), ('S5', 'DEMO', 'ipc', null), ('S6', 'DEMO GONE', 'ipc', null)`;

it("what only a stranger typed is not the operator's word, and what moved is the word of the farm that has it", async () => {
  await migrate(database().db, { to: '0164-what-was-added-since' });
  await database().pool.query(before);
  await migrate(database().db);
  const { rows } = await database().pool.query<{ mac: string; claimed_by: number | null }>(
    'select mac, claimed_by from registry order by mac, claimed_by',
  );
  expect(rows.map(({ mac, claimed_by }) => [mac, claimed_by])).toEqual([
    ['DEMO', null],
    ['DEMO GONE', null],
    ['GONE', 1],
    ['LATE', 1],
    ['LATE', 2],
    ['MOVED', 2],
    ['OWN', 1],
    ['OWN', 2],
  ]);
});
