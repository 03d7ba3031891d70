import { createHmac } from 'node:crypto';
import { presets } from '@headrace/contract/permissions';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AccountRow, DeviceRow } from '../../db/schema.ts';
import { buildAlert, buildRule } from '../../testing/alert-factories.ts';
import { buildAccount, buildShare, buildTank } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { createMessageProgress } from '../outbox/message-progress.ts';

let server: TestServer;
let world: FarmWorld;
let tank: DeviceRow;
let n = 0;
const SECRET = 's'.repeat(40);
/** Another day for each test: a server keeps its rules for half a minute. */
let start = Date.parse('2026-11-20T21:00:00Z');

beforeAll(async () => {
  server = await createTestServer({
    requestsPerMinute: 100_000,
    smsProvider: { name: 'clicksend', secret: SECRET, token: 'T' },
  });
});
afterAll(() => server.close());
beforeEach(async () => {
  start += 3 * 86_400_000;
  server.clock.now = at(0);
  world = await buildFarmWorld(server);
  n += 1;
  await db()
    .updateTable('account')
    .set({
      send_sms: true,
      mobile: `0${number().slice(3, 5)} ${number().slice(5)}`,
      country_code: 64,
      name: 'Mere',
    })
    .where('id', '=', world.owner.id)
    .execute();
  tank = await buildTank(db(), world.farm.id, {
    name: 'Trough 4',
    settings: { offset: 0, height: 1000, toplevel: 1000, volume: 10_000 },
  });
  await buildRule(db(), world.farm.id, { hold_min: 0, class: 'urgent' });
});

const db = () => server.database.db;
const at = (minute: number) => new Date(start + minute * 60_000);
/** Another for each test. */
const number = () => `+6421123${4500 + n}`;
async function look(minute: number, percent: number): Promise<void> {
  server.clock.now = at(minute);
  await world.record(tank, [{ at: at(minute).toISOString(), values: { levelMm: percent * 10 } }]);
  server.committed(new Set([world.farm.id]));
  await server.runJob('alerts');
}
const form = 'application/x-www-form-urlencoded';
const post = (
  url: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
  of = server,
) =>
  of.http.inject({
    method: 'POST',
    url,
    headers: { 'content-type': form, ...headers },
    payload: new URLSearchParams(fields).toString(),
  });
let replies = 0;
const says = (text: string, from = number(), id = `R${(replies += 1)}`) =>
  post(`/sms/reply/clicksend/${SECRET}`, { from, body: text, message_id: id });
/** What waited is on the phone. */
async function arrives(minute: number): Promise<void> {
  await db()
    .updateTable('outbox')
    .set({ state: 'sent', sent_at: at(minute) })
    .where('recipient', '=', number())
    .where('state', '=', 'queued')
    .execute();
}
const messages = async () =>
  db()
    .selectFrom('outbox')
    .select(['id', 'body', 'state', 'recipient'])
    .where('way', '=', 'sms')
    .where('recipient', '=', number())
    .orderBy('id')
    .execute();
const incident = () =>
  db()
    .selectFrom('alert_incident')
    .select(['answered_by'])
    .where('farm_id', '=', world.farm.id)
    .executeTakeFirst();
const account = async (): Promise<AccountRow> =>
  db().selectFrom('account').selectAll().where('id', '=', world.owner.id).executeTakeFirstOrThrow();
const bell = async () =>
  (await server.call('GET /notifications', { headers: world.headers }))
    .json<{ list: { message: string }[] }>()
    .list.map(({ message }) => message);

describe('a reply by SMS', () => {
  it('of OK answers the newest that the number was told, says who is on it, and says it once', async () => {
    await look(1, 18);
    expect((await messages()).map(({ recipient }) => recipient)).toEqual([number()]);
    await arrives(1);
    expect((await says('Ok, on my way')).statusCode).toBe(204);
    expect((await incident())?.answered_by).toBe(world.owner.id);
    await says('Ok, on my way');
    const sent = await messages();
    expect(sent).toHaveLength(2);
    expect(sent[1]?.body).toMatch(/^Headrace: Mere is on it \(10:01\)\. .*Trough 4$/);
    const { uid } = (await world.get('GET /alert/incidents', { farmUID: world.farm.uid })).json().open[0];
    const { steps } = (await world.get('GET /alert/incident', { farmUID: world.farm.uid, uid })).json();
    expect(steps.at(-1)).toMatchObject({ what: 'answered', by: 'Mere', note: 'By SMS.' });
  });

  it('of OK to what got worse since answers nothing, and says that', async () => {
    await db().updateTable('alert_rule').set({ class: null }).where('farm_id', '=', world.farm.id).execute();
    const ways = { urgent: ['sms'], important: ['sms'], info: [] };
    await server.call('PUT /notification/ways', { headers: world.headers, body: { quiet: null, ways } });
    await look(1, 18);
    await arrives(1);
    // Told as urgent, which is not on the phone yet.
    await look(5, 9);
    await says('OK');
    expect((await incident())?.answered_by).toBeNull();
    expect((await messages()).at(-1)?.body).toMatch(
      /^Headrace: It got worse meanwhile and is urgent now\. Please see how it is before you answer\. /,
    );
    await arrives(6);
    await says('OK');
    expect((await incident())?.answered_by).toBe(world.owner.id);
  });

  it('of STOP ends SMS to the number at once and says so in the app, until START', async () => {
    await says('STOP');
    expect((await account()).send_sms).toBe(false);
    expect((await bell())[0]).toContain(`No more SMS to ${number()}`);
    await look(1, 18);
    expect(await messages()).toEqual([]);
    await says('start');
    expect((await account()).send_sms).toBe(true);
    expect((await bell())[0]).toContain('SMS come to');
  });

  it('of anything else does nothing, and the bell says so', async () => {
    await look(1, 18);
    await says('stop the pump');
    expect([(await incident())?.answered_by, (await account()).send_sms]).toEqual([null, true]);
    expect((await bell())[0]).toContain('was not understood');
  });

  it('from a number that nobody here has does nothing', async () => {
    await look(1, 18);
    for (const text of ['OK', 'STOP', 'START', '']) await says(text, '+64279999999');
    await post(`/sms/reply/clicksend/${SECRET}`, {});
    expect([(await incident())?.answered_by, (await account()).send_sms]).toEqual([null, true]);
  });

  it('answers the last that arrived, whatever is open besides, however often the provider tells of it', async () => {
    const told = async (name: string, minute: number | null) => {
      const { incidentUid } = await buildAlert(db(), await buildTank(db(), world.farm.id, { name }));
      await db()
        .insertInto('outbox')
        .values({
          at: at(minute ?? 9),
          way: 'sms',
          recipient: number(),
          subject: '',
          body: '',
          state: minute === null ? 'queued' : 'sent',
          sent_at: minute === null ? null : at(minute),
          account_id: world.owner.id,
          dedupe_key: `alert ${incidentUid} 1`,
        })
        .execute();
      return incidentUid;
    };
    const answered = async () =>
      (
        await db()
          .selectFrom('alert_incident')
          .select('uid')
          .where('farm_id', '=', world.farm.id)
          .where('answered_by', 'is not', null)
          .execute()
      ).map(({ uid }) => uid);
    await told('Trough 5', 1);
    const last = await told('Trough 6', 2);
    await told('Trough 7', null);
    server.clock.now = at(10);
    await says('OK', number(), 'R-same');
    expect(await answered()).toEqual([last]);
    await says('OK', number(), 'R-same');
    await says('OK');
    await told('Trough 8', 11);
    await says('OK', number(), 'R-same');
    expect(await answered()).toEqual([last]);
  });

  it('that is told again undoes no later one', async () => {
    await says('STOP', number(), 'R-stop');
    await says('START');
    await says('STOP', number(), 'R-stop');
    expect((await account()).send_sms).toBe(true);
  });

  it('from a shared phone answers for whoever still may', async () => {
    const guest = await buildAccount(db(), { name: 'Tane', type: 'AGENT' });
    const { mobile, country_code } = await account();
    await db()
      .updateTable('account')
      .set({ send_sms: true, mobile, country_code })
      .where('id', '=', guest.id)
      .execute();
    const share = await buildShare(db(), world.farm.id, guest.id, { ...presets.guest, notifications: true });
    await look(1, 18);
    await arrives(1);
    await db().deleteFrom('share').where('id', '=', share.id).execute();
    await says('OK');
    expect((await incident())?.answered_by).toBe(world.owner.id);
  });

  it('answers nothing once its person is not told of the farm any more, and an SMS says so once', async () => {
    await look(1, 18);
    await arrives(1);
    await db().updateTable('account').set({ approved: false }).where('id', '=', world.owner.id).execute();
    await says('OK');
    await says('OK');
    expect((await incident())?.answered_by).toBeNull();
    expect((await messages()).slice(1).map(({ body }) => body)).toEqual([
      expect.stringContaining('Headrace: Nothing to answer.'),
    ]);
  });
});

describe('a receipt', () => {
  const receipt = (id: string, code: string) =>
    post(`/sms/receipt/clicksend/${SECRET}`, { message_id: id, status_code: code, error_text: 'Absent' });
  const sentAs = async (id: string) => {
    await look(1, 18);
    await db()
      .updateTable('outbox')
      .set({ state: 'sent', sent_at: at(1), provider_id: id, body: '' })
      .where('recipient', '=', number())
      .execute();
  };
  const state = async () =>
    db()
      .selectFrom('outbox')
      .select(['state', 'error', 'delivered_at'])
      .where('recipient', '=', number())
      .executeTakeFirstOrThrow();

  it('says that it arrived, once, and no later word takes that back', async () => {
    await sentAs('M-1');
    await receipt('M-1', '200');
    expect((await state()).state).toBe('sent');
    await receipt('M-1', '201');
    server.clock.now = at(9);
    await receipt('M-1', '201');
    await receipt('M-1', '301');
    expect(await state()).toEqual({ state: 'delivered', error: '', delivered_at: at(1) });
  });

  it('says that it did not arrive, and why; a later one that it did wins', async () => {
    await sentAs('M-2');
    await receipt('M-2', '301');
    expect(await state()).toMatchObject({
      state: 'failed',
      error: 'The SMS provider says that it did not arrive. Absent',
    });
    await receipt('M-2', '201');
    expect((await state()).state).toBe('delivered');
  });

  it('of what nobody sent changes nothing, nor does another way’s', async () => {
    await sentAs('M-3');
    await receipt('M-9', '201');
    await receipt('', '201');
    expect((await state()).state).toBe('sent');
    expect(
      await createMessageProgress(db()).setReceipt({ id: 'M-9', state: 'failed', reason: '' }, at(2)),
    ).toBeUndefined();
  });
});

describe('what is not the provider’s', () => {
  it('is limited by address, and the provider’s own is not', async () => {
    const limited = await createTestServer(
      { smsProvider: { name: 'clicksend', secret: SECRET, token: 'T' } },
      server,
    );
    const statuses = async (secret: string) => {
      const had = new Set<number>();
      for (let call = 0; call < 65; call += 1)
        had.add(
          (await post(`/sms/receipt/clicksend/${secret}`, { message_id: 'M' }, {}, limited)).statusCode,
        );
      return [...had];
    };
    expect(await statuses('wrong')).toEqual([404, 429]);
    expect(await statuses(SECRET)).toEqual([204]);
    await limited.close();
  });

  it.each([
    '/sms/reply/clicksend/wrong',
    `/sms/reply/clicksend/${'x'.repeat(40)}`,
    `/sms/reply/twilio/${SECRET}`,
    `/sms/receipt/pigeon/${SECRET}`,
  ])('finds nothing at %s', async (path) => {
    expect((await post(path, { from: number(), body: 'STOP' })).statusCode).toBe(404);
    expect((await account()).send_sms).toBe(true);
  });

  it('is refused where no provider tells anything, and without Twilio’s signature', async () => {
    const none = await createTestServer({}, server);
    expect((await post(`/sms/reply/clicksend/${SECRET}`, {}, {}, none)).statusCode).toBe(404);
    const twilio = await createTestServer(
      { smsProvider: { name: 'twilio', secret: SECRET, token: 'T' } },
      server,
    );
    const path = `/sms/reply/twilio/${SECRET}`;
    const fields = { From: number(), Body: 'STOP', MessageSid: 'SM1' };
    // As its documentation signs: the address, then the fields by name, each with its value.
    const signature = createHmac('sha1', 'T')
      .update(`https://headrace.test${path}BodySTOPFrom${number()}MessageSidSM1`)
      .digest('base64');
    const signed = (by: string) => post(path, fields, { 'x-twilio-signature': by }, twilio);
    expect((await signed('')).statusCode).toBe(404);
    expect((await signed(signature.replace(/^./, (sign) => (sign === 'A' ? 'B' : 'A')))).statusCode).toBe(
      404,
    );
    expect((await account()).send_sms).toBe(true);
    expect((await signed(signature)).statusCode).toBe(204);
    expect((await account()).send_sms).toBe(false);
    await none.close();
    await twilio.close();
  });
});
