import { once } from 'node:events';
import { connect } from 'node:net';
import { pino } from 'pino';
import Type from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineEndpoint } from '@headrace/contract/endpoint';
import { needs } from '@headrace/contract/permissions';
import { RawBody, RawReply } from '@headrace/contract/raw';
import type { AccessGate } from './access-gate.ts';
import { createHttpApp } from './create-http-app.ts';
import { createMount } from './mount.ts';
import { createOperatorGuard } from './operator.ts';

const common = { tag: 'Test', summary: 'A test', needs: needs.nothing, reply: RawReply } as const;
const text = defineEndpoint({ ...common, key: 'GET /text', sends: { types: ['text/plain', 'text/csv'] } });
const other = defineEndpoint({ ...common, key: 'GET /other', sends: { types: ['text/plain'] } });
const file = defineEndpoint({
  ...common,
  key: 'GET /file',
  query: Type.Object({ name: Type.String() }),
  sends: { types: ['application/pdf'] },
});
const stream = defineEndpoint({ ...common, key: 'GET /stream', sends: { types: ['text/csv'] } });
const late = defineEndpoint({
  ...common,
  key: 'GET /late',
  sends: { types: ['text/csv'], withinSeconds: 0.2 },
});
const broken = defineEndpoint({ ...common, key: 'GET /broken', sends: { types: ['text/csv'] } });
const upload = defineEndpoint({
  ...common,
  key: 'POST /upload',
  takes: ['text/csv'],
  body: RawBody,
  bodyMaxBytes: 100,
  reply: Type.Object({ bytes: Type.Number() }),
});
const json = defineEndpoint({
  ...common,
  key: 'POST /json',
  body: Type.Object({ name: Type.String() }),
  reply: Type.Object({ name: Type.String() }),
});

/** What became of the stream that is being made. */
let maker = { pieces: 0, isOver: false, ended: Promise.resolve() };
let url: string;
let close: () => Promise<unknown>;

/** Without end. */
async function* rows(over: AbortSignal): AsyncGenerator<string> {
  let ended = (): void => undefined;
  const own = { pieces: 0, isOver: false, ended: new Promise<void>((resolve) => (ended = resolve)) };
  maker = own;
  try {
    for (;;) {
      own.pieces += 1;
      yield `${'x'.repeat(10_000)}\n`;
    }
  } finally {
    own.isOver = over.aborted;
    ended();
  }
}

beforeAll(async () => {
  const app = await createHttpApp({
    log: pino({ level: 'silent' }),
    trustedProxies: 0,
    tileOrigins: [],
    operatorToken: null,
    isSecure: false,
  });
  const nobody = { callerOf: async () => null } as unknown as AccessGate;
  const unused = undefined as never;
  const mount = createMount(
    app,
    nobody,
    () => new Date('2026-11-20T21:00:00Z'),
    createOperatorGuard(app, null),
    () => false,
    unused,
    unused,
  );
  mount(text, async () => ({ type: 'text/csv', content: 'farm\nŌtaki\n' }));
  mount(other, async () => ({ type: 'text/html', content: '<b>' }));
  mount(file, async ({ query }) => ({ fileName: query.name, content: Buffer.from([0x25, 0x00, 0xff]) }));
  mount(stream, async () => ({ content: rows }));
  mount(late, async () => ({ content: rows }));
  mount(broken, async () => ({
    // oxlint-disable-next-line require-yield
    async *content() {
      throw new Error('no such table');
    },
  }));
  mount(upload, async ({ body }) => ({ bytes: body.length }));
  mount(json, async ({ body }) => body);
  url = await app.listen({ port: 0, host: '127.0.0.1' });
  close = () => app.close();
});
afterAll(() => close());

const get = (path: string) => fetch(`${url}/v1${path}`);
const post = (path: string, type: string, body: string) =>
  fetch(`${url}/v1${path}`, { method: 'POST', headers: { 'content-type': type }, body });

describe('a raw reply', () => {
  it('is sent as it is, under a content type that its endpoint declares', async () => {
    const reply = await get('/text');
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(reply.headers.get('content-disposition')).toBeNull();
    expect(await reply.text()).toBe('farm\nŌtaki\n');
  });

  it('is a failure of ours under any other', async () => {
    expect((await get('/other')).status).toBe(500);
  });

  it.each([
    ['report.pdf', 'attachment; filename=report.pdf'],
    ['Ōtaki 2026.pdf', `attachment; filename="?taki 2026.pdf"; filename*=UTF-8''%C5%8Ctaki%202026.pdf`],
    ['../../etc/passwd', 'attachment; filename=etc-passwd'],
    ['Top / "bottom".pdf', 'attachment; filename="Top - -bottom-.pdf"'],
    ['a\r\nSet-Cookie: b=c', 'attachment; filename="a-Set-Cookie- b=c"'],
    ['...', 'attachment; filename=file'],
    ['\u202eexe.pdf', 'attachment; filename=exe.pdf'],
  ])('as a file is named safely: %j', async (name, disposition) => {
    const reply = await get(`/file?name=${encodeURIComponent(name)}`);
    expect(reply.headers.get('content-disposition')).toBe(disposition);
    expect(reply.headers.get('content-type')).toBe('application/pdf');
    expect([...new Uint8Array(await reply.arrayBuffer())]).toEqual([0x25, 0x00, 0xff]);
  });
});

describe('a stream', () => {
  it('ends its work when the client goes away', async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('GET /v1/stream HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(socket, 'data');
    socket.destroy();
    await maker.ended;
    expect(maker.isOver).toBe(true);
  });

  it('makes no more than is taken', async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('GET /v1/stream HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(socket, 'data');
    socket.pause();
    let before = -1;
    await expect
      .poll(() => {
        const isStill = maker.pieces === before;
        before = maker.pieces;
        return isStill;
      })
      .toBe(true);
    socket.destroy();
    await maker.ended;
  });

  it('is broken off when it takes too long, so that nobody takes it for whole', async () => {
    const reply = await fetch(`${url}/v1/late`, { headers: { 'accept-encoding': 'identity' } });
    expect(reply.status).toBe(200);
    await expect(reply.text()).rejects.toThrow();
    await maker.ended;
    expect(maker.isOver).toBe(true);
  });

  it('that fails before its first piece answers as any failure', async () => {
    const reply = await get('/broken');
    expect([reply.status, await reply.json()]).toMatchObject([500, { code: 'internal' }]);
  });
});

describe('a body', () => {
  it('comes as bytes where the endpoint takes its content type', async () => {
    expect(await (await post('/upload', 'text/csv; charset=utf-8', 'Ō,1\n')).json()).toEqual({ bytes: 5 });
  });

  it.each([
    ['/upload', 'application/json', '{}', 'text/csv'],
    ['/json', 'text/plain', '{"name": "A"}', 'application/json'],
    ['/json', 'application/xml', '<name/>', 'application/json'],
  ])('%s as %s is refused, and what is taken is said', async (path, type, body, taken) => {
    const reply = await post(path, type, body);
    expect([reply.status, await reply.json()]).toEqual([
      415,
      { errorMessage: `Send the body as ${taken}.`, code: 'unsupportedType', field: 'Content-Type' },
    ]);
  });

  it('is no larger than its endpoint says', async () => {
    expect((await post('/upload', 'text/csv', 'x'.repeat(101))).status).toBe(413);
  });
});
