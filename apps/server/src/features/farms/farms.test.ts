import { afterAll, beforeAll, expect, it } from 'vitest';
import { levels, presets } from '@headrace/contract/permissions';
import type { AccountRow } from '../../db/schema.ts';
import { buildAccount, buildFarm, buildShare } from '../../testing/factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { zoneById, zoneOfPlace } from './zone-of-place.ts';

let server: TestServer;
let owner: AccountRow;
beforeAll(async () => {
  server = await createTestServer();
  owner = await buildAccount(server.database.db);
});
afterAll(() => server.close());

const get = async (key: string, account: AccountRow) =>
  (await server.call(key, { headers: await server.signIn(account) })).json<unknown>();

it("lists the caller's farms by name without regard to case, shared ones among them, unreadable ones not", async () => {
  const { db } = server.database;
  const helper = await buildAccount(db, { type: 'AGENT' });
  const beta = await buildFarm(db, owner.id, { name: 'beta' });
  const alpha = await buildFarm(db, owner.id, { name: 'Alpha' });
  const hidden = await buildFarm(db, owner.id, { name: 'Gamma' });
  for (const farm of [beta, alpha]) await buildShare(db, farm.id, helper.id);
  await buildShare(db, hidden.id, helper.id, { ...presets.guest, farms: levels.None });
  expect(await get('GET /farms-card', helper)).toMatchObject([
    { _id: alpha.uid, name: 'Alpha', accountId: owner.uid },
    { _id: beta.uid, name: 'beta', accountId: owner.uid },
  ]);
});

it.each([
  ['Pacific/Auckland', 43_200, 3600, true],
  ['Pacific/Chatham', 45_900, 3600, true],
  ['Australia/Brisbane', 36_000, 0, false],
  ['Australia/Lord_Howe', 37_800, 1800, true],
])('knows the standard time of %s and what summer adds', (zone, rawOffset, dstOffset, dstEnabled) => {
  expect(zoneById(zone, 2026)).toEqual({ timeZoneId: zone, rawOffset, dstOffset, dstEnabled });
});

it('finds the zone of a place at a border of zones: Stanthorpe keeps Queensland time', () => {
  expect(zoneOfPlace(-28.654, 151.933, new Date('2026-11-20T00:00:00Z')).timeZoneId).toBe(
    'Australia/Brisbane',
  );
});
