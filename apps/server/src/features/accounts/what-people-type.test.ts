import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '@headrace/contract/api';
import type { OwnAccount } from '@headrace/contract/account-details';
import type { Farm } from '@headrace/contract/farms';
import { createLog } from '../../log.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { firstFarm, mailedKey, person } from './testing/account-kit.ts';
import { codeShown } from './testing/authenticator.ts';

let server: TestServer;
let logged = '';
let count = 0;
beforeAll(async () => {
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logged += chunk.toString('utf8');
      done();
    },
  });
  server = await createTestServer({
    requestsPerMinute: 100_000,
    trustedProxies: 1,
    log: createLog('trace', sink),
  });
});
afterAll(() => server.close());

const called = new Set<string>();
const call = (
  key: string,
  body?: object,
  headers: Record<string, string> = {},
  query?: Record<string, string>,
) => {
  called.add(key);
  return server.call(key, {
    headers: { 'x-forwarded-for': `10.3.${count % 250}.${(count += 1) % 250}`, ...headers },
    ...(body && { body }),
    ...(query && { query }),
  });
};
const email = () => `typed${(count += 1)}@example.com`;

/** After the Big List of Naughty Strings, as far as a screen can show it. */
const odd = [
  'Māui 🚜👩‍🌾',
  '<script>alert(1)</script><b>&amp;',
  "Robert'); drop table farm;--",
  '\u202Eright to left\u202C',
  '\u200Fمزرعة الري',
  'e\u0301 and \u00e9, \uFF21\uFF22',
  '${7*7} {{7*7}} %s %n \\u0041',
  '../../etc/passwd',
  'NULL',
  'Z\u0351\u036B\u0343\u036A\u0302\u036Balgo',
];
const unseen = ['a\u0000b', 'a\u001Bb', 'a\u0085b', 'a\u007Fb', 'half \uD83D of it'];

describe('what people type', () => {
  it.each(odd)('as %j is stored and given back exactly, when registering', async (text) => {
    const address = email();
    const farm = {
      ...firstFarm,
      name: text,
      supplier: text,
      description: text,
      address: { fullAddress: text },
    };
    const reply = await call('POST /account/register', {
      ...person,
      email: address,
      name: ` ${text} `,
      notes: `${text}\n${text}`,
      password: `${text}-own`,
      passwordConfirmation: `${text}-own`,
      farms: [farm],
    });
    expect(reply.json()).toEqual({ id: expect.any(String) as string });
    const signedIn = await call('POST /account/auth', { email: address, password: `${text}-own` });
    const headers = { authorization: signedIn.json<{ token: string }>().token };
    const own = (await call('GET /account/details', undefined, headers)).json<OwnAccount>();
    expect(own).toMatchObject({ name: text, notes: `${text}\n${text}` });
    const [stored] = (await call('GET /farms', undefined, headers)).json<Farm[]>();
    expect(stored).toMatchObject({
      name: text,
      supplier: text,
      description: text,
      address: { fullAddress: text },
    });
    const changed = await call(
      'POST /account/details',
      { ...own, countryCode: 61, name: `${text}!` },
      headers,
    );
    expect(changed.json()).toMatchObject({ name: `${text}!`, countryCode: 61 });
  });

  it.each(unseen)('as %j is refused in every field, with a sentence', async (text) => {
    const cant = "holds a character that can't be shown. Please type it again.";
    const body = { ...person, email: email(), farms: [firstFarm] };
    const cases: [string, object, string][] = [
      ['name', { ...body, name: `Ana ${text}` }, `Name ${cant}`],
      ['email', { ...body, email: `${text}@example.com` }, `E-mail ${cant}`],
      ['notes', { ...body, notes: text }, `Notes ${cant}`],
      ['mobile', { ...body, mobile: text }, 'Invalid mobile number.'],
      ['farms.0.name', { ...body, farms: [{ ...firstFarm, name: text }] }, `Name ${cant}`],
      ['farms.0.supplier', { ...body, farms: [{ ...firstFarm, supplier: text }] }, `Supplier ${cant}`],
      [
        'farms.0.description',
        { ...body, farms: [{ ...firstFarm, description: text }] },
        `Description ${cant}`,
      ],
      [
        'farms.0.address',
        { ...body, farms: [{ ...firstFarm, address: { fullAddress: text } }] },
        `Access road ${cant}`,
      ],
    ];
    for (const [field, sent, errorMessage] of cases) {
      const reply = await call('POST /account/register', sent);
      expect([reply.statusCode, reply.json()]).toEqual([400, { errorMessage, field, code: 'invalid' }]);
    }
  });

  it('of 10,000 characters is refused with the name of the field', async () => {
    const long = 'x'.repeat(10_000);
    const body = { ...person, email: email(), farms: [firstFarm] };
    for (const field of ['name', 'email', 'mobile', 'notes', 'password', 'acceptedTerms']) {
      const reply = await call('POST /account/register', { ...body, [field]: long });
      expect([reply.statusCode, reply.json<{ field: string }>().field]).toEqual([400, field]);
    }
  });
});

describe('the log', () => {
  it('holds no password, key, token, address or name after every call about accounts, also when one fails', async () => {
    const address = `private-person@farm${(count += 1)}.example`;
    const secrets = [
      'Secretive Person',
      '0219876543',
      'first-secret-horse',
      'second-secret-horse',
      'third-secret-horse',
    ];
    const [name = '', mobile = '', first = '', second = '', third = ''] = secrets;
    const registered = {
      ...person,
      name,
      mobile,
      email: address,
      password: first,
      passwordConfirmation: first,
    };
    await call('POST /account/register', { ...registered, farms: [firstFarm] });
    await call('POST /agent/register', registered);
    await call('GET /account/is-registered', undefined, {}, { email: address });
    await call('POST /account/auth', { email: address, password: 'wrong-secret' });
    const { token } = (await call('POST /account/auth', { email: address, password: first })).json<{
      token: string;
    }>();
    const headers = { authorization: token };
    const confirmKey = await mailedKey(server, address, '/confirm-email?key=');
    await call('POST /account/confirm-email', { key: confirmKey });
    await call('POST /account/resend-confirmation', undefined, headers);
    await call('POST /account/forgot-password', { email: address });
    await expect.poll(() => mailedKey(server, address, '/reset-password?key=').catch(() => '')).not.toBe('');
    const resetKey = await mailedKey(server, address, '/reset-password?key=');
    await call('POST /account/reset-password', {
      key: resetKey,
      password: second,
      passwordConfirmation: second,
    });
    const again = (await call('POST /account/auth', { email: address, password: second })).json<{
      token: string;
    }>();
    const changed = await call(
      'POST /account/change-password',
      { currPwd: second, newPwd: third },
      { authorization: again.token },
    );
    const own = { authorization: changed.json<{ token: string }>().token };
    const details = (await call('GET /account/details', undefined, own)).json<OwnAccount>();
    await call('POST /account/details', { ...details, notes: 'a private note' }, own);
    await call('GET /account/sessions', undefined, own);
    await call('DELETE /account/session', undefined, own, { id: 'none' });
    await call('GET /account/data', undefined, own);
    await call('POST /account/close', { password: third }, own);
    await call('DELETE /account/close', undefined, own);
    await call('POST /account/auth/passwordless', { key: confirmKey });
    await breakAccounts(() =>
      call('POST /account/details', { ...details, email: `new-${address}`, password: third }, own),
    );
    await call('POST /account/logout', undefined, own);

    const failed = logged.split('\n').find((line) => line.includes('request failed')) ?? '{}';
    expect(JSON.parse(failed)).toMatchObject({
      level: 50,
      time: expect.any(Number),
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      route: '/v1/account/details',
    });
    const hidden = [...secrets, address, 'wrong-secret', 'a private note', confirmKey, resetKey, token];
    for (const text of [...hidden, again.token, own.authorization]) expect(logged).not.toContain(text);
  });

  it('holds no code, ticket, secret or key of two-step sign-in, passkeys and other addresses', async () => {
    const [password, address] = ['fourth-secret-horse', `two-steps@farm${(count += 1)}.example`];
    const registered = { ...person, email: address, password, passwordConfirmation: password };
    await call('POST /agent/register', registered);
    await call('POST /account/confirm-email', {
      key: await mailedKey(server, address, '/confirm-email?key='),
    });
    const auth = { email: address, password };
    const { token } = (await call('POST /account/auth', auth)).json<{ token: string }>();
    const own = { authorization: token };
    const { secret } = (await call('POST /account/authenticator/begin', { password }, own)).json<{
      secret: string;
    }>();
    const app = codeShown(secret, server.clock.now.getTime());
    const made = await call('POST /account/authenticator', { code: app }, own);
    const [first = '', second = '', third = '', fourth = '', ...codes] = made.json<{
      recoveryCodes: string[];
    }>().recoveryCodes;
    const { secondStep } = (await call('POST /account/auth', auth)).json<{
      secondStep: { ticket: string };
    }>();
    const { ticket } = secondStep;
    await call('POST /account/auth/second-step', { ticket, code: 'never-a-secret-code', remember: false });
    const answer = { ticket, code: first, remember: true };
    const entered = await call('POST /account/auth/second-step', answer, { deviceuid: 'secret-browser' });
    const { data, rememberKey } = entered.json<{ data: { token: string }; rememberKey: string }>();
    await call('GET /account/second-step', undefined, own);
    const renewed = await call('POST /account/session/renew', { password, code: second }, own);
    own.authorization = renewed.json<{ token: string }>().token;
    const proof = { password, code: third };
    const details = (await call('GET /account/details', undefined, own)).json<OwnAccount>();
    const asked = await call(
      'POST /account/details',
      { ...details, ...proof, email: `other-${address}` },
      own,
    );
    expect(asked.json()).toMatchObject({ pendingEmail: `other-${address}` });
    await call('DELETE /account/new-email', undefined, own);
    const passkey = {
      id: 'secret-passkey',
      rawId: 'secret-passkey',
      type: 'public-key',
      clientExtensionResults: {},
    };
    const said = { clientDataJSON: 'secret-said', authenticatorData: 'e30', signature: 'e30' };
    await call('POST /account/auth/passkey/begin');
    await call('POST /account/auth/passkey', { answer: { ...passkey, response: said } });
    const options = await call('POST /account/passkey/begin', { password, code: fourth }, own);
    const { challenge } = options.json<{ options: { challenge: string } }>().options;
    const response = { clientDataJSON: 'secret-said', attestationObject: 'e30' };
    await call('POST /account/passkey', { made: { ...passkey, response } }, own);
    for (const key of ['POST /account/passkey/rename', 'POST /account/passkey/remove'])
      await call(key, { id: 'a', name: 'Secretive Passkey', ...proof }, own);
    for (const key of ['POST /account/recovery-codes', 'POST /account/authenticator/remove'])
      await call(key, { password, code: codes.pop() }, own);
    await call('GET /account/usage', undefined, own);
    await call('GET /agent/list-accounts', undefined, own);
    await call('DELETE /account/device', undefined, own, { id: 'none' });
    await call('DELETE /account/sessions', undefined, own);
    const undoKey = await mailedKey(server, address, '/undo-email?key=');
    const undone = await call('POST /account/undo-email', { key: undoKey });
    const { resetKey } = undone.json<{ resetKey: string }>();

    const hidden = [password, address, secret, app, first, second, third, fourth, ticket, token, data.token];
    const more = [
      rememberKey,
      challenge,
      undoKey,
      resetKey,
      own.authorization,
      'secret-',
      'Secretive Passkey',
    ];
    for (const text of [...hidden, ...more]) {
      expect(text.length).toBeGreaterThan(5);
      expect(logged).not.toContain(text);
    }
  });

  it('was looked at after every call about accounts that there is', () => {
    const all = endpoints.map(({ key }) => key).filter((key) => / \/(account|agent)\//.test(key));
    expect(all.filter((key) => !called.has(key))).toEqual([]);
  });

  /** The database refuses what is written, and quotes it. */
  async function breakAccounts(work: () => Promise<unknown>): Promise<void> {
    const { pool } = server.database;
    await pool.query(
      "alter table account add constraint broken check (pending_email not like 'new-private%')",
    );
    await work();
    await pool.query('alter table account drop constraint broken');
  }
});
