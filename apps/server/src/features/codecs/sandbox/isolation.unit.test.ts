import { describe, expect, it } from 'vitest';
import { codecInput, createCodecKit } from '../../../testing/codec-kit.ts';

const { run, sandbox } = createCodecKit(1000);
const returning = (expression: string) => `function decodeUplink(input) { return { data: ${expression} }; }`;

describe('a message meets the codec as it was read', () => {
  it.each([
    ['a variable', `let seen = 0; ${returning('{ seen: ++seen }')}`, { seen: 1 }],
    ['a global', `var seen; ${returning('{ seen: seen = (seen || 0) + 1 }')}`, { seen: 1 }],
    ['a list', `const kept = []; ${returning('{ seen: kept.push(input.fPort) }')}`, { seen: 1 }],
    [
      'a prototype',
      returning('{ seen: Object.prototype.seen = (Object.prototype.seen || 0) + 1 }'),
      { seen: 1 },
    ],
    [
      'a function of the engine',
      returning('{ seen: (Math.max = (m => (...a) => 1 + m(...a))(Math.max))(0, 0) }'),
      { seen: 1 },
    ],
    ['a Buffer', `const kept = Buffer.alloc(4); ${returning('{ seen: kept[0] += 1 }')}`, { seen: 1 }],
    [
      "a class of the engine's own",
      returning('{ seen: TextDecoder.n = (TextDecoder.n || 0) + 1 }'),
      { seen: 1 },
    ],
    [
      'what was zero',
      `const kept = new Uint8Array(3e6); ${returning('{ seen: (kept[0] += 1) * (kept[1500000] += 1) * (kept[2999999] += 1) }')}`,
      { seen: 1 },
    ],
    [
      'its own function',
      `function decodeUplink(i) { decodeUplink = () => ({ data: { seen: 2 } }); return { data: { seen: 1 } }; }`,
      { seen: 1 },
    ],
  ])('and not %s that the message before changed', async (_what, script, data) => {
    for (let message = 0; message < 4; message += 1)
      expect(await run(script, codecInput, `farm ${message % 2}`)).toMatchObject({ data });
  });

  it('whatever other codecs did between', async () => {
    const scripts = Array.from(
      { length: 12 },
      (_, n) => `var own = ${n}, calls = 0; globalThis.shared = (globalThis.shared || '') + 'c${n}';
        Array.prototype.mark = ${n}; const big = new Uint8Array(${n} * 100000).fill(${n});
        ${returning('{ own, calls: ++calls, shared, mark: [].mark, last: big[big.length - 1] || 0 }')}`,
    );
    for (let round = 0; round < 3; round += 1) {
      const all = await Promise.all(scripts.map((script, n) => run(script, codecInput, `farm ${n}`)));
      expect(all.map(({ data }) => data)).toEqual(
        scripts.map((_, n) => ({ own: n, calls: 1, shared: `c${n}`, mark: n, last: n })),
      );
    }
  });

  it('also when more codecs are in use than a thread keeps at hand', async () => {
    // 6 MiB each: a dozen are more than the 48 MiB that are kept.
    const scripts = Array.from(
      { length: 12 },
      (_, n) =>
        `let calls = 0; const big = new Uint8Array(6e6).fill(${n + 1}); ${returning(`{ calls: ++calls, last: big[5999999] }`)}`,
    );
    for (let round = 0; round < 2; round += 1)
      for (const [n, script] of scripts.entries())
        expect(await run(script)).toMatchObject({ data: { calls: 1, last: n + 1 } });
  });

  it('also after a message that was stopped, ran out of memory or ended its thread', async () => {
    const script = (what: string) => `let calls = 0;
      function decodeUplink({ fPort }) { calls += 1; if (fPort === 9) { ${what} } return { data: { calls } }; }`;
    const ends = [
      'for (;;);',
      'const kept = []; for (;;) kept.push(new Uint8Array(1e6));',
      '(function again() { again(); })();',
      'throw new Error("no");',
      'new Array(2 ** 28).join("x");',
    ];
    for (const what of ends) {
      expect(await run(script(what))).toMatchObject({ data: { calls: 1 } });
      expect(await run(script(what), { ...codecInput, fPort: 9 })).not.toHaveProperty('data');
      expect(await run(script(what))).toMatchObject({ data: { calls: 1 } });
    }
  });

  it.each([
    ['Date.now()', 'const read = Date.now();', 'Date.now() - read'],
    ['new Date()', 'const read = new Date();', 'Date.now() - read.getTime()'],
    ['Date()', 'const read = Date();', 'Date.now() - Date.parse(read)'],
  ])(
    'but one that looks at the clock with %s while it is read is read anew each time',
    async (_what, top, age) => {
      const script = `let calls = 0; ${top} ${returning(`{ age: ${age}, calls: ++calls }`)}`;
      await run(script);
      await new Promise((resolve) => setTimeout(resolve, 1200));
      const { data } = (await run(script)) as { data: { age: number; calls: number } };
      expect(data.calls).toBe(1);
      expect(data.age).toBeLessThan(1000);
    },
  );

  it('and has the real Date, changed or not', async () => {
    const script = `Date.prototype.year = function () { return this.getUTCFullYear(); }; const early = new Date(0);
      ${returning('{ year: input.recvTime.year(), early: early.year(), is: early instanceof Date && input.recvTime.constructor === Date }')}`;
    expect(await run(script)).toMatchObject({ data: { year: 2026, early: 1970, is: true } });
  });
});

describe('a hostile codec', () => {
  it.each([
    [
      'reaches no host by constructors',
      'this.constructor.constructor("return typeof process + typeof require")()',
      'undefinedundefined',
    ],
    [
      'reaches no host by a function of ours',
      'console.log.constructor("return typeof process")()',
      'undefined',
    ],
    [
      'reaches no host by Buffer',
      'Buffer.from.constructor("return typeof process + typeof globalThis.std")()',
      'undefinedundefined',
    ],
    [
      'reaches no host by a generator',
      '(function* () {}).constructor("return typeof require")().next().value',
      'undefined',
    ],
    [
      'sees no caller',
      'String((function () { try { return arguments.callee.caller; } catch (e) { return null; } })())',
      'undefined',
    ],
    ['has no module loader', 'typeof module.require + typeof module.parent', 'undefinedundefined'],
    ['reads nothing beyond a Buffer', 'Buffer.allocUnsafe(4096).some((b) => b !== 0)', false],
  ])('%s', async (_what, expression, value) => {
    expect(await run(returning(`{ v: ${expression} }`))).toMatchObject({ data: { v: value } });
  });

  it.each([
    ['imports when it is called', "import('fs').then(() => {})"],
    ['throws what has no text', 'throw { toString() { throw 1; } }'],
    [
      'throws an error with a getter for a message',
      "throw Object.defineProperty(new Error(), 'message', { get() { throw 1; } })",
    ],
    ['returns a promise', 'return Promise.resolve({ data: {} })'],
    ['returns a thing that answers like a promise', 'return { then() {} }'],
    ['nests 100,000 deep', 'let d = {}; for (let i = 0; i < 1e5; i++) d = { d }; return { data: d }'],
    ['has a list of 2**32 - 1', 'const d = []; d.length = 2 ** 32 - 1; return { data: { d } }'],
    [
      'grows as it is read',
      // Too many members, or too much time for them on a busy machine.
      'return { data: new Proxy({}, { ownKeys: () => Array.from({ length: 1e5 }, (_, i) => "k" + i), ' +
        'getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }) }) }',
    ],
    ['asks for a Buffer of 1 GB', 'return { data: { n: Buffer.alloc(1e9).length } }'],
    ['fills a Buffer again and again', 'let b = Buffer.alloc(1024); for (;;) b = Buffer.concat([b, b]);'],
  ])('that %s costs its own message', async (_what, statement) => {
    const outcome = await run(`function decodeUplink() { ${statement}; }`);
    expect(outcome['threw'] ?? outcome['kind']).toBeTruthy();
    expect(await run(returning('{ a: 1 }'))).toMatchObject({ data: { a: 1 } });
  });

  it('that looks like no codec while it is found, or never comes to an end there, is refused', async () => {
    const traps =
      "Object.defineProperty(globalThis, 'driver', { get() { throw new Error('mine'); }, enumerable: true });";
    expect(await sandbox.run('one', traps, null)).toMatchObject({ kind: 'failed', cause: 'syntax' });
    const endless = "Object.defineProperty(globalThis, 'exports', { get() { for (;;); } });";
    expect(await sandbox.run('one', endless, null)).toMatchObject({ kind: 'failed', cause: 'time' });
    expect(await sandbox.run('one', 'for (;;);', null)).toMatchObject({ kind: 'failed', cause: 'time' });
  });
});
