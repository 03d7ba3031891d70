import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OwnAccount } from '@headrace/contract/account-details';
import type { AccountRow, FarmRow } from '../../db/schema.ts';
import { buildAlert, buildRule } from '../../testing/alert-factories.ts';
import { buildAccount, buildFarm, buildGateway, buildShare, buildTank } from '../../testing/factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { issueKey } from './account-keys.ts';
import { hashPassword } from './password.ts';
import { days, later, mailsTo } from './testing/account-kit.ts';

let server: TestServer;
let passwordHash: string;
let account: AccountRow;
let headers: Record<string, string>;
const disconnected: string[] = [];
beforeAll(async () => {
  server = await createTestServer({
    requestsPerMinute: 100_000,
    trustedProxies: 1,
    disconnectSender: (senderKey) => disconnected.push(senderKey),
  });
  passwordHash = await hashPassword('correct horse');
});
afterAll(() => server.close());
beforeEach(async () => {
  account = await buildAccount(server.database.db, { password_hash: passwordHash, name: 'Mere' });
  headers = await server.signIn(account);
});

let count = 0;
const call = (key: string, body?: object, as = headers) =>
  server.call(key, {
    headers: { 'x-forwarded-for': `10.5.${count % 250}.${(count += 1) % 250}`, ...as },
    ...(body && { body }),
  });
const own = async (as = headers) => (await call('GET /account/details', undefined, as)).json<OwnAccount>();
const entry = () => ({
  name: 'Mere Tawhai',
  email: account.email,
  newsletter: true,
  mobile: '0211234567',
  countryCode: 64,
  notes: '',
});
const row = (id = account.id) =>
  server.database.db.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirst();

describe('account details', () => {
  it('take nothing that is nobody’s to send: no rights, no standing, no other account', async () => {
    const before = await row();
    const sent = {
      ...entry(),
      id: 1,
      uid: 'f'.repeat(24),
      type: 'AGENT',
      isStaff: true,
      is_staff: true,
      approved: false,
      emailConfirmed: true,
      mustChangePassword: true,
      subscriptionValidUntil: '2099-01-01T00:00:00.000Z',
      password_hash: 'x',
    };
    expect((await call('POST /account/details', sent)).statusCode).toBe(200);
    const { name, newsletter, mobile, country_code, updated_at } = (await row()) ?? {};
    expect(await row()).toEqual({ ...before, name, newsletter, mobile, country_code, updated_at });
    expect(name).toBe('Mere Tawhai');
  });

  it('are told and changed', async () => {
    expect(await own()).toEqual({
      name: 'Mere',
      email: account.email,
      newsletter: false,
      mobile: '',
      countryCode: null,
      notes: '',
      emailConfirmed: false,
      pendingEmail: null,
      hasPassword: true,
      createdAt: account.created_at.toISOString(),
      closesAt: null,
    });
    const reply = await call('POST /account/details', { ...entry(), notes: ' one\ntwo ' });
    expect(reply.json()).toMatchObject({ ...entry(), notes: 'one\ntwo' });
    expect(await own()).toEqual(reply.json());
    expect(await mailsTo(server, account.email)).toEqual([]);
  });

  it.each([
    ['name', 'An', 'Name must have at least 3 characters.'],
    ['email', 'nothing', 'E-mail must be an e-mail address.'],
    ['mobile', '', 'Mobile is required.'],
    ['countryCode', null, 'Country code is required.'],
  ])('with %s %j are refused', async (field, value, errorMessage) => {
    const reply = await call('POST /account/details', { ...entry(), [field]: value });
    expect([reply.statusCode, reply.json()]).toEqual([400, { errorMessage, field, code: 'invalid' }]);
  });

  it("can't take an address that another account has", async () => {
    const other = await buildAccount(server.database.db);
    const reply = await call('POST /account/details', {
      ...entry(),
      email: other.email,
      password: 'correct horse',
    });
    expect([reply.statusCode, reply.json()]).toEqual([
      409,
      { errorMessage: 'Sorry, this email is already registered.', field: 'email', code: 'conflict' },
    ]);
  });
});

describe('closing an account', () => {
  let farm: FarmRow;
  let agent: AccountRow;
  beforeEach(async () => {
    farm = await buildFarm(server.database.db, account.id, { name: 'Hinds' });
    agent = await buildAccount(server.database.db, { type: 'AGENT', password_hash: passwordHash });
    await buildShare(server.database.db, farm.id, agent.id);
  });
  const close = (password = 'correct horse') => call('POST /account/close', { password });

  it('needs its password', async () => {
    const reply = await close('wrong horse');
    expect([reply.statusCode, reply.json()]).toEqual([
      400,
      { errorMessage: 'This is not your current password.', field: 'password', code: 'invalid' },
    ]);
    expect((await own()).closesAt).toBeNull();
  });

  it('is refused to an account without one, which has to get one by mail', async () => {
    const without = await buildAccount(server.database.db, { type: 'AGENT' });
    const reply = await call('POST /account/close', { password: '' }, await server.signIn(without));
    expect([reply.statusCode, reply.json()]).toMatchObject([400, { field: 'password' }]);
    expect(reply.json<{ errorMessage: string }>().errorMessage).toMatch(
      /^Your account has no password yet\./,
    );
  });

  it('leaves 30 days to keep it; the mail says which farms go, and who uses them', async () => {
    await buildFarm(server.database.db, account.id, { name: 'Barrhill' });
    expect((await close()).json()).toMatchObject({ closesAt: '2026-12-20T21:00:00.000Z' });
    const [mail] = await mailsTo(server, account.email);
    expect(mail?.subject).toBe('Your account will be closed');
    expect(mail?.body.replaceAll(/\s+/g, ' ')).toContain(
      'These farms go with it: Barrhill; Hinds, which 1 other person uses.',
    );
    await later(server, days(1), close);
    expect((await own()).closesAt).toBe('2026-12-20T21:00:00.000Z');
    const body = { email: account.email, password: 'correct horse' };
    const signedIn = await server.call('POST /account/auth', { headers: { deviceuid: 'another' }, body });
    expect(signedIn.statusCode).toBe(200);
    expect((await call('DELETE /account/close')).json()).toMatchObject({ closesAt: null });
    await later(server, days(31), () => server.runJob('closed accounts'));
    expect(await row()).toMatchObject({ email: account.email, approved: true });
    expect((await mailsTo(server, account.email)).map(({ subject }) => subject)).toEqual([
      'Your account will be closed',
      'Your account is kept',
    ]);
  });

  it('takes farms, shares, sessions and everything that names the person; the address is free again', async () => {
    const gateway = await buildGateway(server.database.db, farm.id);
    await server.database.db
      .updateTable('account')
      .set({ email_confirmed_at: server.clock.now })
      .where('id', '=', account.id)
      .execute();
    await close();
    await later(server, days(30) - 1, () => server.runJob('closed accounts'));
    expect(await row()).toMatchObject({ name: 'Mere' });
    const agentHeaders = await server.signIn(agent);
    await server.database.db
      .updateTable('session')
      .set({ expires_at: new Date('2027-02-01T00:00:00Z') })
      .execute();
    await later(server, days(30), async () => {
      await server.runJob('closed accounts');
      expect((await call('GET /account/details')).statusCode).toBe(401);
      const farms = await call('GET /farms', undefined, agentHeaders);
      expect(farms.json()).toEqual([]);
    });
    expect(
      disconnected.some((key) => key.includes(gateway.mac ?? '?') || key.includes(String(gateway.id))),
    ).toBe(true);
    const shell = await row();
    expect(shell).toMatchObject({
      name: 'Closed account',
      password_hash: null,
      mobile: null,
      approved: false,
    });
    expect(JSON.stringify(shell)).not.toContain(account.email);
    expect((await mailsTo(server, account.email)).map(({ subject }) => subject)).toEqual([
      'Your account was closed',
    ]);
    const again = await buildAccount(server.database.db, {
      email: account.email,
      email_confirmed_at: server.clock.now,
    });
    expect(again.id).not.toBe(account.id);
    await later(server, days(60), () => server.runJob('closed accounts'));
    expect(await mailsTo(server, account.email)).toHaveLength(1);
  });

  it('of an agent leaves no row behind, and takes what was shared with it', async () => {
    const asAgent = await server.signIn(agent);
    await call('POST /account/close', { password: 'correct horse' }, asAgent);
    await later(server, days(30), () => server.runJob('closed accounts'));
    expect(await row(agent.id)).toBeUndefined();
    expect(
      await server.database.db.selectFrom('share').select('id').where('agent_id', '=', agent.id).execute(),
    ).toEqual([]);
    expect(await row()).toMatchObject({ name: 'Mere' });
  });
});

describe('downloading the account', () => {
  it('gives everything that is kept, and nothing that opens something', async () => {
    await server.database.db
      .updateTable('account')
      .set({ email_confirmed_at: server.clock.now })
      .where('id', '=', account.id)
      .execute();
    const farm = await buildFarm(server.database.db, account.id, { name: 'Hinds' });
    await buildShare(server.database.db, farm.id, (await buildAccount(server.database.db)).id);
    const theirs = await buildFarm(server.database.db, (await buildAccount(server.database.db)).id, {
      name: 'Shared with me',
    });
    await buildShare(server.database.db, theirs.id, account.id);
    const { incidentUid } = await buildAlert(
      server.database.db,
      await buildTank(server.database.db, farm.id),
    );
    await buildRule(server.database.db, farm.id, { name: 'Mine', created_by: account.id });
    await buildRule(server.database.db, theirs.id, { name: 'Names me', people: [account.id] });
    await buildRule(server.database.db, theirs.id, { name: "Somebody's own" });
    await call('POST /alert/answer', {
      farmUID: farm.uid,
      uid: incidentUid,
      version: 1,
      class: 'important',
    });
    await call('PUT /notification/ways', {
      quiet: null,
      ways: { urgent: ['sms'], important: [], info: [] },
      digest: false,
    });
    const secret = await issueKey(server.database.db, account, 'reset-password', server.clock.now);
    await call('PUT /settings', { data: { general: {} }, version: 6 });
    await call('POST /analytics/page-view', { key: '/tanks' });
    await call('POST /account/forgot-password', { email: account.email });
    await call('POST /account/close', { password: 'correct horse' });
    const reply = await call('GET /account/data');
    expect(reply.json()).toMatchObject({
      account: { id: account.uid, name: 'Mere', email: account.email, closesAt: '2026-12-20T21:00:00.000Z' },
      signedIn: [
        { browser: 'Unknown browser', address: '127.0.0.1', device: expect.stringMatching(/^[0-9a-f]{16}$/) },
      ],
      mailedLinks: [{ purpose: 'reset-password' }],
      messages: [{ subject: 'Your account will be closed' }],
      farms: [{ id: farm.uid, name: 'Hinds' }],
      sharedWithOthers: [{ farm: 'Hinds', state: 'accepted' }],
      sharedWithMe: [{ farm: 'Shared with me', state: 'accepted' }],
      pageViews: [{ key: '/tanks', device: expect.stringMatching(/^[0-9a-f]{16}$/) }],
      alertPreferences: { ways: { urgent: ['sms'], important: [], info: [] }, digest: false },
      alerts: [
        { farm: 'Shared with me', name: 'Names me', tellsMeByName: true, isMadeByMe: false },
        { farm: 'Hinds', name: 'Mine', kind: 'TankLow', value: 20, isMadeByMe: true },
      ],
      alertAnswers: [{ farm: 'Hinds', alert: 'Tank low', what: 'answered', from: 'In the app.' }],
    });
    // Whoever sends a browser's own name counts as known.
    for (const hidden of [
      secret,
      passwordHash,
      'hash',
      headers['authorization'] ?? '',
      '?key=',
      '"device": "test"',
    ])
      expect(reply.body).not.toContain(hidden);
  });

  it('is the caller alone', async () => {
    const other = await buildAccount(server.database.db, { name: 'Somebody else' });
    await buildFarm(server.database.db, other.id, { name: 'Theirs' });
    const { body } = await call('GET /account/data');
    expect(body).not.toContain(other.email);
    expect(body).not.toContain('Theirs');
  });

  it('is made a hundred times a day, counted where it can be seen before, and then says when again', async () => {
    await call('GET /account/data');
    // 21:00 UTC: three hours to midnight.
    const used = { resetsAt: '2026-11-21T00:00:00.000Z', files: { today: 1, limit: 100 } };
    expect((await call('GET /account/usage')).json()).toEqual(used);
    await server.database.db.updateTable('files_made').set({ files: 99 }).execute();
    expect((await call('GET /account/data')).statusCode).toBe(200);
    const refused = await call('GET /account/data');
    expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toEqual([
      429,
      '10800',
      expect.objectContaining({
        errorMessage:
          'An account can have 100 files made a day (UTC), and these are all made. Please try again in 3 hours.',
      }),
    ]);
    await server.database.db.updateTable('files_made').set({ day: '2026-11-19' }).execute();
    expect((await call('GET /account/data')).statusCode).toBe(200);
    expect((await call('GET /account/usage')).json()).toEqual(used);
  });
});
