import fastJson, { type Schema } from 'fast-json-stringify';
import { endpoints } from '@headrace/contract/api';
import { nullable } from '@headrace/contract/schemas';
import Type from 'typebox';
import { expect, it } from 'vitest';
import { plainNullables } from './plain-nullables.ts';

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
  const write = fastJson(plainNullables(reply) as Schema);
  expect(JSON.parse(write(data))).toEqual(data);
});

it('no member of a reply that is a number or null is left a union', () => {
  const unions = endpoints.flatMap(({ key, reply: schema }) =>
    JSON.stringify(plainNullables(schema) ?? null).includes('{"anyOf":[{"type":"number"},{"type":"null"}]}')
      ? [key]
      : [],
  );
  expect(unions).toEqual([]);
});
