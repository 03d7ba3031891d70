import { expect, it } from 'vitest';
import { migrate } from './migrate.ts';
import { useUnmigratedDatabase } from '../testing/unmigrated-database.ts';

const database = useUnmigratedDatabase('serials_migration');

const before = `
  insert into account (uid, email, name, type, subscription_valid_until)
    values ('o', 'olive@example.com', 'Olive', 'SUBSCRIBER', '2099-01-01');
  insert into farm (uid, owner_id, name, lat, lng, wal_config, time_zone_id, raw_offset, dst_offset, dst_enabled)
    select 'f' || n, 1, 'Farm ' || n, -43, 171, '{}', 'Pacific/Auckland', 43200, 3600, true from generate_series(1, 2) n;
  insert into device (farm_id, uid, kind, name, serial_number, settings, deleted_at) values
    (1, 'gone', 'sprinkler', 'gone', 'X1', '{}', now()), (1, 'spare', 'sprinkler', 'spare', 'X1', '{"isSpareUnit": true}', null),
    (1, 'first', 'sprinkler', 'first', 'X1', '{}', null), (1, 'second', 'sprinkler', 'second', ' x 1', '{}', null),
    (1, 'repeater', 'repeater', 'repeater', 'X1', '{}', null), (1, 'sensor', 'sensor', 'sensor', 'X1', '{}', null),
    (1, 'place', 'sprinkler', 'place', 'X1', '{"isPlaceholder": true}', null),
    (1, 'none', 'sprinkler', 'none', '', '{}', null), (1, 'nought', 'sprinkler', 'nought', ' ', '{}', null),
    (1, 'own', 'sprinkler', 'own', 'X2', '{}', null), (2, 'elsewhere', 'sprinkler', 'elsewhere', 'X1', '{}', null)`;

it('of units with one number the first in service holds it; the others stay as they are, marked', async () => {
  await migrate(database().db, { to: '0017-one-session-at-the-broker' });
  await database().pool.query(before);
  await migrate(database().db);
  const { rows } = await database().pool.query<{ uid: string; marked: boolean }>(
    'select uid, shares_serial as marked from device order by id',
  );
  expect(rows).toHaveLength(11);
  expect(rows.flatMap(({ uid, marked }) => (marked ? uid : []))).toEqual(['spare', 'second', 'repeater']);
  const again = `insert into device (farm_id, uid, kind, name, serial_number) values (1, 'new', 'sprinkler', 'new', 'x1')`;
  await expect(database().pool.query(again)).rejects.toThrow('device_one_unit_a_serial');
});
