import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { presets } from '@headrace/contract/permissions';
import { buildAccount, buildFarm } from '../../testing/factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { verifyPassword } from '../accounts/password.ts';
import {
  buildAgent,
  buildOwner,
  callsOf,
  keyMailedTo,
  mailsTo,
  notesOf,
  refusal,
  type SharingWorld,
} from './testing/sharing-kit.ts';

let server: TestServer;
let world: SharingWorld;
let address: string;
let count = 0;
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
});
afterAll(() => server.close());
beforeEach(async () => {
  world = await buildOwner(server);
  address = `invited${(count += 1)}@example.com`;
  server.clock.now = new Date(server.clock.now.getTime() + 120_000);
});

const stored = () =>
  server.database.db.selectFrom('share').selectAll().where('owner_id', '=', world.owner.id).execute();

describe('an owner', () => {
  it('invites an address to two farms: two shares, two mails, and lines of the log', async () => {
    const second = await buildFarm(server.database.db, world.owner.id);
    const reply = await world.calls.share([world.farm, second], ` ${address.toUpperCase()} `);
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toEqual({
      invites: [world.farm, second].map((farm) => ({
        key: expect.stringMatching(/^[0-9a-f]{24}$/),
        farmName: farm.name,
        farmerName: 'Olive Owner',
        agentName: '',
        email: address,
        isAccountShare: false,
        accepted: false,
        rejected: false,
        farmUID: farm.uid,
        template: 4,
        sentAt: server.clock.now.toISOString(),
        answeredAt: null,
        endsAt: null,
        lastUsedAt: null,
      })),
    });
    expect((await mailsTo(server, address)).map(({ subject }) => subject)).toEqual([
      `Olive Owner invites you to the farm ${world.farm.name}`,
      `Olive Owner invites you to the farm ${second.name}`,
    ]);
    expect(await world.calls.log()).toMatchObject([
      { what: 'invited', farmName: second.name, by: 'Olive Owner', whom: 'Con Tact', note: 'Guest' },
      { what: 'invited', farmName: world.farm.name, by: 'Olive Owner', whom: 'Con Tact', note: 'Guest' },
    ]);
  });

  it("keeps only the hash of the mailed key, and gives nobody's list the key itself", async () => {
    const reply = await world.calls.share([world.farm], address);
    const key = await keyMailedTo(server, address);
    const [share] = await stored();
    expect(share?.key_hash).toHaveLength(32);
    expect(JSON.stringify(share)).not.toContain(key);
    expect(reply.body).not.toContain(key);
  });

  it.each([
    [2, presets.farmManager],
    [3, presets.agent],
    [4, presets.guest],
    [1, { ...presets.none, sensors: 5, toggleValve: true }],
  ])('stores of template %i exactly its rights', async (template, permissions) => {
    await world.calls.share([world.farm], address, {
      template,
      permissions: { sensors: 5, farms: 16, toggleValve: true },
    });
    expect((await stored())[0]?.permissions).toEqual(permissions);
  });

  it('gives a contact with a password an account that must change it, and says so in the mail', async () => {
    const contact = { name: 'New Hand', email: address, password: 'Ditch-77-rat', newsletter: true };
    await world.calls.share([world.farm], address, {
      contacts: [{ ...contact, passwordConfirmation: 'Ditch-77-rat' }],
    });
    const account = await server.database.db
      .selectFrom('account')
      .selectAll()
      .where('email', '=', address)
      .executeTakeFirstOrThrow();
    expect(account).toMatchObject({
      name: 'New Hand',
      type: 'AGENT',
      must_change_password: true,
      email_confirmed_at: null,
      newsletter: true,
    });
    expect(await verifyPassword(account.password_hash ?? '', 'Ditch-77-rat')).toBe(true);
    const [mail] = await mailsTo(server, address);
    expect(mail?.body).toContain('a password that Olive Owner has chosen');
    expect(mail?.body).not.toContain('Ditch-77-rat');
    expect(mail?.body).not.toContain('/login/');
  });

  it("mails an existing agent a link that signs in without a password, and rings the agent's bell", async () => {
    const agent = await buildAgent(server);
    await world.calls.share([world.farm], agent.email);
    const [mail] = await mailsTo(server, agent.email);
    const key = /\/login\/([\w-]{43})/.exec(mail?.body ?? '')?.[1] ?? '';
    const reply = await server.call('POST /account/auth/passwordless', { body: { key } });
    expect(reply.json()).toMatchObject({ success: true, data: { email: agent.email } });
    expect(await notesOf(server, agent)).toEqual([`Olive Owner invites you to the farm ${world.farm.name}.`]);
  });

  it.each([
    ['a farm that is not its own', 404, async () => [(await buildOwner(server)).farm]],
    [
      'a farm that is not its own, beside one that is',
      404,
      async () => [world.farm, (await buildOwner(server)).farm],
    ],
  ])('shares no %s', async (_what, status, farmsOf) => {
    expect((await world.calls.share(await farmsOf(), address)).statusCode).toBe(status);
    expect(await stored()).toEqual([]);
    expect(await mailsTo(server, address)).toEqual([]);
  });

  it.each([
    [
      { contacts: [{ name: 'Al', email: 'al@example.com' }] },
      'contacts.0.name',
      'Name must have at least 3 characters.',
    ],
    [
      { contacts: [{ name: 'Alma', email: 'alma' }] },
      'contacts.0.email',
      'E-mail must be an e-mail address.',
    ],
    [
      {
        contacts: [
          { name: 'Alma', email: 'a@b.nz' },
          { name: 'Alma', email: 'A@B.nz' },
        ],
      },
      'contacts.1.email',
      'a@b.nz is there twice.',
    ],
    [
      { contacts: [{ name: 'Alma', email: 'a@b.nz', mobile: '12', countryCode: 64 }] },
      'contacts.0.mobile',
      'Invalid mobile number.',
    ],
    [
      { contacts: [{ name: 'Alma', email: 'a@b.nz', password: 'Ditch-77-rat', passwordConfirmation: 'x' }] },
      'contacts.0.passwordConfirmation',
      'Password confirmation must be the same as the password.',
    ],
    [
      {
        contacts: [{ name: 'Alma', email: 'a@b.nz', password: 'iloveyou', passwordConfirmation: 'iloveyou' }],
      },
      'contacts.0.password',
      'This password is one of the most common ones. Please choose another.',
    ],
    [{ farms: [] }, 'farms', 'Please choose at least one farm.'],
    [{ endsAt: '2026-11-20T20:59:59Z' }, 'endsAt', 'The end must lie ahead.'],
  ])('is refused %j in a sentence', async (change, field, errorMessage) => {
    const reply = await world.calls.share([world.farm], address, { isAccountShare: false, ...change });
    expect(refusal(reply)).toEqual({ status: 400, errorMessage, code: 'invalid', field });
    expect(await stored()).toEqual([]);
  });

  it('can neither invite itself nor another owner', async () => {
    expect(refusal(await world.calls.share([world.farm], world.owner.email))).toMatchObject({
      status: 400,
      errorMessage: "You can't invite yourself.",
    });
    const other = await buildAccount(server.database.db, { email_confirmed_at: server.clock.now });
    expect(refusal(await world.calls.share([world.farm], other.email))).toMatchObject({
      status: 403,
      code: 'IS_SUBSCRIBER',
      field: 'contacts.0.email',
    });
  });

  it('is told when somebody is invited or has access already, and nobody of that call is invited', async () => {
    await world.calls.share([world.farm], address);
    const other = `other-${address}`;
    const contacts = [
      { name: 'Other', email: other },
      { name: 'Con Tact', email: address },
    ];
    expect(refusal(await world.calls.share([world.farm], address, { contacts }))).toMatchObject({
      status: 409,
      errorMessage: `Con Tact is invited to the farm ${world.farm.name} already.`,
    });
    const agent = await buildAgent(server);
    await world.calls.share([world.farm], agent.email);
    await (await callsOf(server, agent)).accept(await keyMailedTo(server, agent.email));
    expect(refusal(await world.calls.share([world.farm], agent.email))).toMatchObject({
      status: 409,
      errorMessage: `Ann Agent has access to the farm ${world.farm.name} already.`,
    });
    expect(await mailsTo(server, other)).toEqual([]);
    expect(await stored()).toHaveLength(2);
  });

  it('may invite anew who has rejected, and who had access until it ended', async () => {
    const agent = await buildAgent(server);
    const calls = await callsOf(server, agent);
    await world.calls.share([world.farm], agent.email);
    await calls.reject(await keyMailedTo(server, agent.email));
    const endsAt = new Date(server.clock.now.getTime() + 60_000);
    expect((await world.calls.share([world.farm], agent.email, { endsAt })).statusCode).toBe(200);
    await calls.accept(await keyMailedTo(server, agent.email));
    server.clock.now = endsAt;
    expect(await calls.mayRead(world.farm)).toBe(204);
    expect((await world.calls.share([world.farm], agent.email)).statusCode).toBe(200);
    expect(await stored()).toHaveLength(1);
  });

  it('of whom two calls at once invite the same person invites once', async () => {
    const replies = await Promise.all([1, 2].map(() => world.calls.share([world.farm], address)));
    expect(replies.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await mailsTo(server, address)).toHaveLength(1);
  });

  it('whose subscription has ended shares and resends nothing', async () => {
    await world.calls.share([world.farm], address);
    const [{ key } = { key: '' }] = await world.calls.invites();
    await server.database.db
      .updateTable('account')
      .set({ subscription_valid_until: new Date(server.clock.now.getTime() - 1000) })
      .where('id', '=', world.owner.id)
      .execute();
    const suspended = { status: 403, errorMessage: 'Account Suspended', code: 'forbidden' };
    expect(refusal(await world.calls.share([world.farm], `x${address}`))).toEqual(suspended);
    expect(refusal(await world.calls.call('POST /resend-invite', { body: { key } }))).toEqual(suspended);
  });
});

describe('mail to strangers has its limits', () => {
  const log = (what: 'invited' | 'changed', times: number) =>
    server.database.db
      .insertInto('access_log')
      .values(
        Array.from({ length: times }, () => ({
          owner_id: world.owner.id,
          at: server.clock.now,
          what,
          farm_name: '',
          by_name: '',
          whom: '',
          note: '',
        })),
      )
      .execute();
  const tooMany = {
    status: 429,
    errorMessage:
      'An account can send 500 invitations a day. These are 1, and 0 are left. Please try again in 23 hours.',
    code: 'tooMany',
  };

  it('an account sends 500 a day, new ones and again, and goes on the next day', async () => {
    await log('invited', 498);
    await log('changed', 10);
    server.clock.now = new Date(server.clock.now.getTime() + 3_600_000);
    expect((await world.calls.share([world.farm], address)).statusCode).toBe(200);
    const [{ key } = { key: '' }] = await world.calls.invites();
    const again = () => world.calls.call('POST /resend-invite', { body: { key } });
    expect((await again()).statusCode).toBe(200);
    const { invitations } = (await world.calls.call('GET /contacts')).json<{ invitations: object }>();
    const moreAt = new Date(server.clock.now.getTime() + 23 * 3_600_000).toISOString();
    expect(invitations).toEqual({ left: 0, limit: 500, moreAt });
    const refused = await again();
    expect([refused.headers['retry-after'], refusal(refused)]).toEqual([String(23 * 3600), tooMany]);
    expect(refusal(await world.calls.share([world.farm], `x${address}`))).toEqual(tooMany);
    server.clock.now = new Date(server.clock.now.getTime() + 86_400_000);
    const tomorrow = await callsOf(server, world.owner);
    expect((await tomorrow.share([world.farm], `x${address}`)).statusCode).toBe(200);
  });

  it('two calls at the same moment go no further', async () => {
    await log('invited', 499);
    const replies = await Promise.all(
      ['x', 'y', 'z'].map((letter) => world.calls.share([world.farm], `${letter}${address}`)),
    );
    expect(replies.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 429, 429]);
  });

  it('nobody gets more than 100 mails a day by what owners do: then they are not invited, and changes are in the bell alone', async () => {
    const { db } = server.database;
    const agent = await buildAgent(server);
    const mail = { at: server.clock.now, recipient: agent.email, subject: 'Filler', body: '' };
    await db.insertInto('outbox').values(Array(99).fill(mail)).execute();
    await world.calls.share([world.farm], agent.email);
    const [{ key } = { key: '' }] = await world.calls.invites();
    const body = { key, template: 2, permissions: {} };
    expect((await world.calls.call('PUT /permissions', { body })).statusCode).toBe(200);
    expect(await mailsTo(server, agent.email)).toHaveLength(100);
    expect((await notesOf(server, agent)).at(-1)).toContain('Olive Owner changed what you may do');
    const other = await buildOwner(server);
    const refused = await other.calls.share([other.farm], agent.email);
    expect([refused.headers['retry-after'], refusal(refused)]).toEqual([
      '86400',
      {
        status: 429,
        errorMessage: `Too much mail went to ${agent.email} today. Please try again in 1 day.`,
        code: 'tooMany',
      },
    ]);
  });
});

const mailStates = async (recipient: string) =>
  (
    await server.database.db
      .selectFrom('outbox')
      .select('state')
      .where('recipient', '=', recipient)
      .orderBy('id')
      .execute()
  ).map(({ state }) => state);

describe('an invitation sent again', () => {
  it('has a new key, and the earlier one opens nothing', async () => {
    await world.calls.share([world.farm], address);
    const earlier = await keyMailedTo(server, address);
    const [{ key } = { key: '' }] = await world.calls.invites();
    expect((await world.calls.call('POST /resend-invite', { body: { key } })).statusCode).toBe(200);
    const later = await keyMailedTo(server, address);
    const stranger = await callsOf(server, null);
    expect(await stranger.info(earlier)).toMatchObject({ success: false, reason: 'INVALID_KEY' });
    expect(await stranger.info(later)).toMatchObject({ success: true, name: world.farm.name });
    expect((await world.calls.log())[0]).toMatchObject({ what: 'invited again' });
    expect(await mailStates(address)).toEqual(['cancelled', 'queued']);
  });

  it('or taken back before its mail went is not mailed any more', async () => {
    await world.calls.share([world.farm], address);
    const [{ key } = { key: '' }] = await world.calls.invites();
    expect((await world.calls.call('POST /revoke-invite', { body: { key } })).statusCode).toBe(200);
    // The second says that the access ended.
    expect(await mailStates(address)).toEqual(['cancelled', 'queued']);
  });

  it('is of no use once it has ended', async () => {
    const endsAt = new Date(server.clock.now.getTime() + 3_600_000).toISOString();
    await world.calls.share([world.farm], address, { endsAt });
    const outbox = server.database.db.selectFrom('outbox').select('expires_at');
    expect(await outbox.where('recipient', '=', address).execute()).toEqual([
      { expires_at: new Date(endsAt) },
    ]);
  });

  it('goes to nobody with an account, nor for a stranger', async () => {
    const agent = await buildAgent(server);
    await world.calls.share([world.farm], agent.email);
    const [{ key } = { key: '' }] = await world.calls.invites();
    expect(refusal(await world.calls.call('POST /resend-invite', { body: { key } }))).toMatchObject({
      status: 409,
      errorMessage: 'Ann Agent has an account already and finds the invitation there.',
    });
    const other = await buildOwner(server);
    expect((await other.calls.call('POST /resend-invite', { body: { key } })).statusCode).toBe(404);
  });
});

it('the people an owner has shared with are each there once, with what was entered last', async () => {
  const second = await buildFarm(server.database.db, world.owner.id);
  await world.calls.share([world.farm], address);
  server.clock.now = new Date(server.clock.now.getTime() + 1000);
  const contact = {
    name: 'Con T. Act',
    email: address,
    mobile: '211234567',
    countryCode: 64,
    notes: 'Shed 3',
  };
  await world.calls.share([second], address, { contacts: [contact] });
  expect((await world.calls.call('GET /contacts')).json()).toEqual({
    contacts: [contact],
    // Two of 500 were sent, the first a second ago.
    invitations: {
      left: 498,
      limit: 500,
      moreAt: new Date(server.clock.now.getTime() + 86_399_000).toISOString(),
    },
  });
});
