import type { AccessEvent, Invite } from '@headrace/contract/sharing';
import type { AccountRow, FarmRow } from '../../../db/schema.ts';
import { buildAccount, buildFarm } from '../../../testing/factories.ts';
import type { TestServer } from '../../../testing/test-server.ts';

export interface SharingWorld {
  owner: AccountRow;
  farm: FarmRow;
  calls: PersonCalls;
}

/** An owner with one farm. */
export async function buildOwner(server: TestServer, name = 'Olive Owner'): Promise<SharingWorld> {
  const { db } = server.database;
  const owner = await buildAccount(db, { name, email_confirmed_at: new Date('2026-01-01T00:00:00Z') });
  return { owner, farm: await buildFarm(db, owner.id), calls: await callsOf(server, owner) };
}

export const buildAgent = (server: TestServer, name = 'Ann Agent'): Promise<AccountRow> =>
  buildAccount(server.database.db, {
    name,
    type: 'AGENT',
    email_confirmed_at: new Date('2026-01-01T00:00:00Z'),
  });

let count = 0;

/** The calls of sharing, as one person at an address of their own: the limits of calls are by address. */
export async function callsOf(server: TestServer, account: AccountRow | null) {
  const headers = account ? await server.signIn(account) : {};
  const address = `10.0.${count >> 8}.${(count += 1) & 255}`;
  const call = (key: string, parts: { query?: Record<string, string>; body?: object } = {}) =>
    server.call(key, { headers, address, ...parts });
  return {
    call,
    share: (farms: FarmRow[], email: string, more: object = {}) =>
      call('POST /permissions', {
        body: {
          contacts: [{ name: 'Con Tact', email }],
          farms: farms.map(({ uid }) => uid),
          isAccountShare: farms.length === 0,
          template: 4,
          permissions: {},
          ...more,
        },
      }),
    info: async (key: string) => (await call('GET /invite', { query: { key } })).json<object>(),
    accept: (key: string) => call('POST /accept-invite', { body: { key } }),
    reject: (key: string) => call('POST /reject-invite', { body: { key } }),
    revoke: (key: string) => call('POST /revoke-invite', { body: { key } }),
    invites: async () => (await call('GET /invites')).json<{ invites: Invite[] }>().invites,
    log: async () => (await call('GET /access-log')).json<{ events: AccessEvent[] }>().events,
    mayRead: async (farm: FarmRow) => (await call('GET /farm', { query: { uid: farm.uid } })).statusCode,
  };
}
export type PersonCalls = Awaited<ReturnType<typeof callsOf>>;

export interface SentMail {
  recipient: string;
  subject: string;
  body: string;
}

/** What went to the address, the newest last. */
export const mailsTo = (server: TestServer, email: string): Promise<SentMail[]> =>
  server.database.db
    .selectFrom('outbox')
    .select(['recipient', 'subject', 'body'])
    .where('recipient', '=', email)
    .where('way', '=', 'mail')
    .orderBy('id')
    .execute();

/** The key in the newest invitation to the address. */
export async function keyMailedTo(server: TestServer, email: string): Promise<string> {
  const mails = await mailsTo(server, email);
  const keys = mails.flatMap(({ body }) => /\/invite\?key=([\w-]{43})\b/.exec(body)?.[1] ?? []);
  const key = keys.at(-1);
  if (!key) throw new Error(`no invitation went to ${email}`);
  return key;
}

/** What the account's bell says, the newest last. */
export async function notesOf(server: TestServer, account: AccountRow): Promise<string[]> {
  const rows = await server.database.db
    .selectFrom('notification')
    .select('message')
    .where('account_id', '=', account.id)
    .orderBy('id')
    .execute();
  return rows.map(({ message }) => message);
}

/** What a person is told when something isn't done. */
export function refusal(reply: { statusCode: number; json(): unknown }): object {
  const { errorMessage, code, field } = reply.json() as Record<string, string>;
  return { status: reply.statusCode, errorMessage, code, ...(field && { field }) };
}
