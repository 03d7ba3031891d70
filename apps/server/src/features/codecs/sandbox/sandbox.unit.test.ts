import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts';
import { SANDBOX_LIMITS } from './sandbox-job.ts';

let opened: Sandbox | undefined;
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});

function open(options: SandboxOptions = quick): Sandbox {
  opened ??= createSandbox(options);
  return opened;
}

const input = { bytes: [0x0e, 0xe4, 0x01], fPort: 2, recvTime: '2026-01-14T18:04:15.775Z' };
/** The engine's own deadline stays well under the watchdog, so that each is seen at work. */
const quick = { limits: { ...SANDBOX_LIMITS, runMs: 300 }, watchdogMs: 1500, threads: 1 };
/** For codecs that come to an end, which a busy machine makes late. */
const calm = { limits: { ...SANDBOX_LIMITS, runMs: 20_000 }, watchdogMs: 25_000, threads: 1 };
const returning = (expression: string) => `function decodeUplink(input) { return { data: ${expression} }; }`;

async function run(script: string, options = calm, given: typeof input | null = input) {
  const outcome = await open(options).run('one', script, given);
  if (outcome.kind !== 'result') return outcome;
  const { threw, ...rest } = JSON.parse(outcome.json) as { threw?: string; data?: unknown };
  return threw === undefined ? rest : { threw };
}
describe('a codec', () => {
  it.each([
    [
      'of TS013',
      'function decodeUplink(i) { return { data: { b: i.bytes, p: i.fPort, t: i.recvTime.getTime() }, warnings: ["w"] }; }',
      { data: { b: [14, 228, 1], p: 2, t: 1_768_413_855_775 }, warnings: ['w'], errors: null },
    ],
    [
      'of TS013, as a constant',
      'const decodeUplink = ({ bytes }) => ({ data: { n: bytes.length } });',
      { data: { n: 3 }, warnings: null, errors: null },
    ],
    [
      'of ChirpStack v3',
      'function Decode(fPort, bytes, variables) { return { fPort, n: bytes.length, v: variables }; }',
      { data: { fPort: 2, n: 3, v: {} }, warnings: null, errors: null },
    ],
    [
      'of The Things Network v2',
      'function Decoder(bytes, port) { console.log(port); return { port, n: bytes.length }; }',
      { data: { port: 2, n: 3 }, warnings: null, errors: null },
    ],
    [
      'that finds an error',
      'function decodeUplink() { return { errors: ["unknown FPort"] }; }',
      { data: null, warnings: null, errors: ['unknown FPort'] },
    ],
  ])('%s is run', async (_name, script, expected) => {
    expect(await run(script)).toEqual(expected);
  });

  it.each([
    ['numbers that are none', '{ a: NaN, b: -Infinity, c: 10n }', { a: null, b: null, c: 10 }],
    ['times', '{ a: new Date(0), b: new Date(NaN) }', { a: '1970-01-01T00:00:00.000Z', b: null }],
    [
      'bytes and holes',
      '{ a: new Uint8Array([1, 2]), b: [1, , undefined] }',
      { a: [1, 2], b: [1, null, null] },
    ],
    ['what is no data', '{ a() {}, b: Symbol("x"), c: undefined, d: 1 }', { d: 1 }],
    ['a proxy', '{ p: new Proxy({ a: 1 }, {}) }', { p: { a: 1 } }],
    ['a toJSON of its own', '{ toJSON: () => "x", a: 1 }', { a: 1 }],
    ['__proto__', '{ ["__proto__"]: { evil: 1 }, a: 1 }', { a: 1 }],
  ])('gives %s as plain data', async (_what, expression, data) => {
    expect(await run(returning(expression))).toMatchObject({ data });
    expect(Object.getPrototypeOf({})).not.toHaveProperty('evil');
  });

  it('changes nothing that the copying relies on', async () => {
    const spoiled = `Array.prototype.toJSON = Object.prototype.toJSON = () => 'x';
      Array.prototype.map = Object.keys = JSON.stringify = Number.isFinite = () => { throw new Error('mine'); };
      Object.defineProperty(Array.prototype, '0', { set() { throw new Error('mine'); } });
      ${returning('{ a: [1, "x"], n: NaN }')}`;
    expect(await run(spoiled)).toMatchObject({ data: { a: [1, 'x'], n: null } });
  });

  it('sees no host, no timers, and nothing of the codec before it', async () => {
    await run(`globalThis.left = 1; Object.prototype.left = 1; ${returning('{}')}`);
    const names = ['process', 'require', 'setTimeout', 'fetch', 'left', 'WebAssembly', 'std', 'os'];
    const seen = names.map((name) => `${name}: typeof ${name}`).join();
    const out = `{ ${seen}, made: Function('return typeof process')(), evaluated: eval('typeof require') }`;
    const all = Object.fromEntries([...names, 'made', 'evaluated'].map((name) => [name, 'undefined']));
    expect(await run(returning(out))).toMatchObject({ data: all });
  });

  it.each([
    [
      '10,000 fields',
      'Object.fromEntries(Array.from({ length: 10000 }, (_, i) => ["f" + i, i]))',
      '10000 members',
    ],
    ['many small objects', 'Array.from({ length: 200 }, () => Array(200).fill(1))', 'more than 2000 values'],
    ['a huge text', '{ s: "x".repeat(100000) }', 'a text of more than 65536 characters'],
    ['a circle', '(() => { const a = {}; a.a = a; return a; })()', 'nests deeper than 12 levels'],
    ['a getter that throws', '{ get a() { throw new Error("ran"); } }', 'Error: ran'],
    ['endless recursion', '(function again() { return again(); })()', 'stack overflow'],
  ])('with %s costs its message alone', async (_what, expression, reason) => {
    expect(await run(returning(expression))).toEqual({ threw: expect.stringContaining(reason) as string });
    expect(await run(returning('{ a: 1 }'))).toMatchObject({ data: { a: 1 } });
  });

  it.each([
    ['an endless loop', 'for (;;);', 'time'],
    ['an endless loop that catches', 'for (;;) { try { for (;;); } catch {} }', 'time'],
    ['a hopeless pattern', '/(a+)+$/.test("a".repeat(40) + "b");', 'time'],
    ['a text that the engine never stops making', 'new Array(2 ** 28).join("x");', 'time'],
  ])('with %s is ended, and the next message is decoded', async (_what, statement, cause) => {
    const script = `function decodeUplink() { ${statement} return { data: {} }; }`;
    expect(await run(script, quick)).toMatchObject({ kind: 'failed', cause });
    expect(await run(returning('{ a: 1 }'))).toMatchObject({ data: { a: 1 } });
  });

  it.each(['new Uint8Array(1e6)', '"abc".repeat(1e5) + i', '{ i }'])(
    'that takes too much memory for %s is ended, and the next message is decoded',
    async (thing) => {
      const script = returning(
        `(() => { const kept = []; for (let i = 0; ; i += 1) kept.push(${thing}); })()`,
      );
      const patient = { limits: { ...SANDBOX_LIMITS, runMs: 5000 }, watchdogMs: 8000, threads: 1 };
      expect(await run(script, patient)).toMatchObject({ kind: 'failed', cause: 'memory' });
      expect(await run(returning('{ a: 1 }'))).toMatchObject({ data: { a: 1 } });
    },
  );

  it.each([
    ['function decodeUplink(i) {\n  return { data: };\n}', 'syntax', 2, 'SyntaxError'],
    ['var decoder = 1;', 'syntax', null, 'there is no function decodeUplink'],
    ['\n\nnull.x;', 'threw', 3, 'TypeError'],
  ])('that is none says so: %j', async (script, cause, line, message) => {
    const expected = { kind: 'failed', cause, line, message: expect.stringContaining(message) as string };
    expect(await run(script, calm, null)).toEqual(expected);
  });
});

describe('the queue', () => {
  it("lets no codec wait for more than one message of each other's", async () => {
    const sandbox = open(quick);
    const order: string[] = [];
    const note = (key: string) => () => order.push(key);
    const endless = 'function decodeUplink() { for (;;); }';
    const slow = [1, 2, 3].map((count) => sandbox.run('slow', endless, input).then(note(`slow ${count}`)));
    const good = [1, 2, 3].map((count) =>
      sandbox.run('good', returning('{}'), input).then(note(`good ${count}`)),
    );
    await Promise.all([...slow, ...good]);
    expect(order).toEqual(['slow 1', 'good 1', 'slow 2', 'good 2', 'slow 3', 'good 3']);
  });

  it('gives up what waits too long, what comes when too much waits, and all of a key when told', async () => {
    const sandbox = open({ ...quick, queueMs: 4000, queueLength: 30 });
    const endless = 'function decodeUplink() { for (;;); }';
    const jobs = Array.from({ length: 32 }, () => sandbox.run('slow', endless, input));
    const other = sandbox.run('other', returning('{ a: 1 }'), input);
    const outcomes = (await Promise.all(jobs)).map((outcome) => outcome.kind === 'failed' && outcome.cause);
    expect(outcomes[0]).toBe('time');
    expect(outcomes.slice(-2)).toEqual(['queue', 'queue']);
    expect(outcomes.filter((cause) => cause === 'queue').length).toBeGreaterThan(5);
    expect((await other).kind).toBe('result');
    const told = [sandbox.run('slow', endless, input), sandbox.run('slow', endless, input)];
    sandbox.giveUp('slow', 'it is switched off');
    expect(await told[1]).toMatchObject({ cause: 'queue', message: 'it is switched off' });
    await told[0];
    expect(sandbox.waiting()).toBe(0);
  });

  it('never stalls the thread that feeds it', async () => {
    const sandbox = open({ ...quick, threads: 2 });
    await sandbox.run('warm', returning('{}'), input);
    // A busy machine stalls everything now and then; a codec on this thread would each time, for the whole deadline, and the engine for seconds.
    let stallMs = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < 3 && stallMs > 400; tries += 1) stallMs = await worstStall(sandbox);
    expect(stallMs).toBeLessThan(400);
  });

  /** ms of this thread while codecs of all kinds run. */
  async function worstStall(sandbox: Sandbox): Promise<number> {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const hostile = ['for (;;);', 'new Array(2 ** 28).join("x");', 'decodeUplink();'];
    const jobs = hostile.flatMap((statement, index) =>
      [1, 2].map(() => sandbox.run(`k${index}`, `function decodeUplink() { ${statement} }`, input)),
    );
    const fields = returning('Object.fromEntries(Array.from({ length: 250 }, (_, i) => ["f" + i, i]))');
    for (let count = 0; count < 200; count += 1) jobs.push(sandbox.run('good', fields, input));
    await Promise.all(jobs);
    delay.disable();
    const [mean, p99, max] = [delay.mean, delay.percentile(99), delay.max].map((ns) => (ns / 1e6).toFixed(1));
    process.stdout.write(
      `event loop delay with hostile codecs: mean ${mean} ms, p99 ${p99} ms, max ${max} ms\n`,
    );
    return delay.max / 1e6;
  }
});
