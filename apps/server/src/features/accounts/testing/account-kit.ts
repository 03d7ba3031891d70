import { farmEntry } from '../../../testing/farm-entry.ts';
import type { TestServer } from '../../../testing/test-server.ts';

/** Mails to an address, the oldest first. */
export const mailsTo = (server: TestServer, to: string) =>
  server.database.db.selectFrom('outbox').selectAll().where('recipient', '=', to).orderBy('id').execute();

/** The key in the newest mail with such a link, as its reader follows it. */
export async function mailedKey(server: TestServer, to: string, path: string): Promise<string> {
  const mails = await mailsTo(server, to);
  const keys = mails.map(({ body }) => body.split(`https://headrace.test${path}`)[1]?.match(/^[\w-]+/)?.[0]);
  const key = keys.findLast((found) => found !== undefined);
  if (!key) throw new Error(`No mail to ${to} leads to ${path}.`);
  return key;
}

/** Browsers from which signing in counts as known, by the names that they gave. */
export async function knownBrowsers(server: TestServer, email: string): Promise<string[]> {
  const rows = await server.database.db
    .selectFrom('known_device')
    .innerJoin('account', 'account.id', 'known_device.account_id')
    .select('device_uid')
    .where('email', '=', email)
    .where('device_uid', '!=', '')
    .orderBy('device_uid')
    .execute();
  return rows.map(({ device_uid }) => device_uid);
}

export const person = {
  name: 'Ana Tawhai',
  password: 'correct horse',
  passwordConfirmation: 'correct horse',
  mobile: '211234567',
  countryCode: 64,
  acceptedTerms: '06 November 2019',
};

export const firstFarm = { ...farmEntry, name: 'Hinds' };

export const minutes = (count: number) => count * 60_000;
export const days = (count: number) => count * 86_400_000;

/** Moves the clock for one piece of work. */
export async function later<T>(server: TestServer, ms: number, work: () => Promise<T>): Promise<T> {
  const before = server.clock.now;
  server.clock.now = new Date(before.getTime() + ms);
  try {
    return await work();
  } finally {
    server.clock.now = before;
  }
}
