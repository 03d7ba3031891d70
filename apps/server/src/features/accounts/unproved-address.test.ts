import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { AccountRow } from '../../db/schema.ts';
import { buildAccount } from '../../testing/factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import {
  buildAgent,
  buildOwner,
  callsOf,
  keyMailedTo,
  notesOf,
  type PersonCalls,
  type SharingWorld,
} from '../sharing/testing/sharing-kit.ts';
import { issueKey } from './account-keys.ts';

/** Anybody may claim anybody's address: until its mail is followed nothing that belongs to it is shown. */
let server: TestServer;
let world: SharingWorld;
let claimed: string;
let count = 0;
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
});
afterAll(() => server.close());
beforeEach(async () => {
  world = await buildOwner(server);
  claimed = `claimed${(count += 1)}@example.com`;
});

const claimant = (email = claimed): Promise<AccountRow> =>
  buildAccount(server.database.db, { type: 'AGENT', name: 'Clara Claimant', email });

const confirmedAt = async ({ id }: AccountRow) => {
  const { db } = server.database;
  const row = await db.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  return { email: row.email, isConfirmed: row.email_confirmed_at !== null };
};

/** The address is changed in a transaction that is not yet through while `work` runs. */
async function whileAddressChanges<T>(account: AccountRow, work: () => Promise<T>): Promise<T> {
  const client = await server.database.pool.connect();
  try {
    await client.query('begin');
    const change = 'update account set email = $1, email_confirmed_at = null where id = $2';
    await client.query(change, [claimed, account.id]);
    const working = work();
    await expect.poll(waiting).toBeGreaterThan(0);
    await client.query('commit');
    return await working;
  } finally {
    client.release();
  }
}

async function waiting(): Promise<number> {
  const { rows } = await server.database.pool.query<{ count: number }>(
    "select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows[0]?.count ?? 0;
}

it('is told nothing in the bell of what is sent there, and the owner can have it mailed again', async () => {
  const account = await claimant();
  const [invite] = (await world.calls.share([world.farm], claimed)).json<{ invites: { key: string }[] }>()
    .invites;
  const body = { key: invite?.key };
  expect((await world.calls.call('POST /resend-invite', { body })).statusCode).toBe(200);
  expect((await world.calls.invites())[0]).toMatchObject({ agentName: '', email: claimed });
  await world.calls.revoke(invite?.key ?? '');
  expect(await notesOf(server, account)).toEqual([]);
});

it('finds nothing of it in the download of what is kept', async () => {
  await world.calls.share([world.farm], claimed);
  await server.call('POST /account/auth', { body: { email: claimed, password: 'guessed' } });
  const account = await claimant();
  const calls = await callsOf(server, account);
  const empty = { messages: [], failedSignIns: [], sharedWithMe: [] };
  expect((await calls.call('GET /account/data')).json()).toMatchObject(empty);
  const values = { email_confirmed_at: server.clock.now };
  await server.database.db.updateTable('account').set(values).where('id', '=', account.id).execute();
  expect((await calls.call('GET /account/data')).json()).toMatchObject({
    messages: [{ subject: `Olive Owner invites you to the farm ${world.farm.name}` }],
    failedSignIns: [{ address: expect.any(String) }],
  });
});

it('is not proved by the key of the former address, followed at the moment of the change', async () => {
  const account = await claimant(`own${claimed}`);
  const key = await issueKey(server.database.db, account, 'confirm-email', server.clock.now);
  const reply = await whileAddressChanges(account, () =>
    server.call('POST /account/confirm-email', { body: { key } }),
  );
  expect(reply.json()).toEqual({ success: false });
  expect(await confirmedAt(account)).toEqual({ email: claimed, isConfirmed: false });
});

it('is not proved by an invitation to the former address, accepted at the moment of the change', async () => {
  const account = await buildAgent(server);
  const calls: PersonCalls = await callsOf(server, account);
  await world.calls.share([world.farm], account.email);
  const key = await keyMailedTo(server, account.email);
  expect((await whileAddressChanges(account, () => calls.accept(key))).statusCode).toBe(200);
  expect(await confirmedAt(account)).toEqual({ email: claimed, isConfirmed: false });
});
