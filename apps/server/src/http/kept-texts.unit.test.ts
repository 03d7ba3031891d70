import fc from 'fast-check';
import fastify from 'fastify';
import Type from 'typebox';
import { expect, it } from 'vitest';
import { keptTexts } from './kept-texts.ts';

const Unit = Type.Object({ name: Type.String(), level: Type.Optional(Type.Number()) });
const Reply = Type.Object({ farm: Type.String(), units: Type.Array(Unit), sync: Type.Boolean() });

function serve(answer: () => object) {
  const app = fastify();
  const write = keptTexts(Reply, 'units');
  app.get('/', async (_, reply) => {
    reply.serializer((what) => write(what as Record<string, unknown>, reply) as unknown as string);
    return answer();
  });
  return async () => (await app.inject('/')).body;
}

it.each([
  ['none', []],
  ['one', [{ name: 'A1' }]],
  ['several, in any script', [{ name: 'Pāmu “1”' }, { name: '井戸', level: 0.5 }, { name: '💧\n' }]],
])('what is sent is what was answered: %s', async (_, units) => {
  const answer = { farm: 'Ōhau', units, sync: false };
  expect(JSON.parse(await serve(() => answer)())).toEqual(answer);
});

it('leaves out what is not declared, of the reply and of its members', async () => {
  const ask = serve(() => ({
    farm: 'A',
    units: [{ name: 'B', secret: 1 }],
    sync: true,
    secret: 2,
  }));
  expect(JSON.parse(await ask())).toEqual({ farm: 'A', units: [{ name: 'B' }], sync: true });
});

it('writes a member anew when it is another object, and each reply with its own length', async () => {
  let units = [{ name: 'A', level: 1 }, { name: 'B' }];
  const ask = serve(() => ({ farm: 'F', units, sync: true }));
  expect(JSON.parse(await ask()).units).toEqual(units);
  units = [{ name: 'A', level: 20.25 }, ...units.slice(1), { name: 'C' }];
  expect(JSON.parse(await ask()).units).toEqual(units);
  units = units.slice(2);
  expect(JSON.parse(await ask()).units).toEqual([{ name: 'C' }]);
});

it('is right whatever comes, goes and changes between one reply and the next', async () => {
  const pool = ['A1', 'Pāmu', '井戸', '', '💧'].map((name, nth) => ({ name, level: nth * 10 ** nth }));
  const list = fc.array(
    fc.nat(pool.length - 1).map((nth) => pool[nth] as { name: string }),
    { maxLength: 8 },
  );
  const farms = fc.string({ maxLength: 5 });
  const replies = fc.array(fc.record({ farm: farms, units: list, sync: fc.boolean() }), {
    minLength: 2,
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(replies, async (answers) => {
      let answer = answers[0] as object;
      const ask = serve(() => answer);
      for (const next of answers) {
        answer = next;
        expect(JSON.parse(await ask())).toEqual(next);
      }
    }),
  );
});

it('replies that are under way at once do not share their memory', async () => {
  const names = Array.from({ length: 12 }, (_, nth) => 'abcdefghijkl'.charAt(nth).repeat(200_000));
  let call = 0;
  const ask = serve(() => ({ farm: 'F', units: [{ name: names[call++] }], sync: true }));
  const bodies = await Promise.all(names.map(() => ask()));
  expect(bodies.map((body) => JSON.parse(body).units[0].name)).toEqual(names);
});

it('refuses a name that is no list', () => {
  expect(() => keptTexts(Reply, 'farm')).toThrow('farm is no list');
});
