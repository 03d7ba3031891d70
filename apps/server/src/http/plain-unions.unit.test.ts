import fastJson, { type Schema } from 'fast-json-stringify';
import { endpoints } from '@headrace/contract/api';
import { nullable } from '@headrace/contract/schemas';
import Type from 'typebox';
import { expect, it } from 'vitest';
import { plainUnions } from './plain-unions.ts';

const reply = Type.Object({
  number: nullable(Type.Number()),
  integer: nullable(Type.Integer()),
  text: nullable(Type.String({ format: 'date-time' })),
  flag: nullable(Type.Boolean()),
  list: nullable(Type.Array(Type.Number())),
  object: nullable(Type.Object({ inner: nullable(Type.Number()) })),
  one: nullable(Type.Literal('done')),
  either: Type.Union([Type.String(), Type.Number(), Type.Null()]),
});

it.each([
  [
    {
      number: 0.1,
      integer: 3,
      text: '2026-11-20T21:00:00.000Z',
      flag: false,
      list: [1],
      object: { inner: null },
      one: 'done',
      either: 4,
    },
  ],
  [
    {
      number: null,
      integer: null,
      text: null,
      flag: null,
      list: null,
      object: null,
      one: null,
      either: null,
    },
  ],
])('what may be null is written as it was', (data) => {
  const write = fastJson(plainUnions(reply) as Schema);
  expect(JSON.parse(write(data))).toEqual(data);
});

const text = Type.Union([
  Type.Literal('day'),
  Type.String({ format: 'date-time' }),
  Type.Unsafe<string>({ enum: ['a', 'b'] }),
]);
const finish = Type.Union([
  Type.Object({ expected: Type.String(), high: nullable(Type.Number()) }),
  Type.Object({ atMost: Type.String(), high: Type.String(), kind: text }),
]);

it.each([
  [{ text: 'day', finish: { expected: 'at 8', high: 3 } }],
  [{ text: '2026-11-20T21:00:00.000Z', finish: { expected: 'at 8', high: null } }],
  [{ text: 'b', finish: { atMost: 'at 9', high: 'late', kind: 'a' } }],
  [{ text: null, finish: null }],
])('what is one of several is written as it was', (data) => {
  const schema = Type.Object({ text: nullable(text), finish: nullable(finish) });
  const write = fastJson(plainUnions(schema) as Schema);
  expect(JSON.parse(write(data))).toEqual(data);
});

it('what no member of a union has is left out, as elsewhere', () => {
  const write = fastJson(plainUnions(Type.Object({ finish })) as Schema);
  const data = { finish: { expected: 'at 8', high: 3, secret: 'x' } };
  expect(JSON.parse(write(data))).toEqual({ finish: { expected: 'at 8', high: 3 } });
});

it('no reply has a union of which the writer would ask a validator', () => {
  const unions = endpoints.flatMap(({ key, reply: schema }) =>
    JSON.stringify(plainUnions(schema) ?? null).includes('"anyOf"') ? [key] : [],
  );
  expect(unions).toEqual([]);
});
