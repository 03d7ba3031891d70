import { endpoints } from '@headrace/contract/api';
import { expect, it } from 'vitest';
import { hostileCalls } from './hostile-calls.ts';
import { placesIn } from './places.ts';
import { seeded } from './random.ts';
import { sampleOf } from './sample-of.ts';

const idFor = () => 'f'.repeat(24);
const bodied = endpoints.filter((endpoint) => 'body' in endpoint && endpoint.body !== undefined);

/** Each member that a schema names, at whatever depth, by a walk that knows nothing of values. */
function membersOf(schema: unknown, path = '', found = new Map<unknown, string>()): Map<unknown, string> {
  if (typeof schema !== 'object' || schema === null || path.split('.').length > 12) return found;
  for (const [name, part] of Object.entries(schema)) {
    if (name === 'properties')
      for (const [member, of] of Object.entries(part as object)) found.set(of, `${path}.${member}`);
    if (name === 'properties' || name === 'patternProperties')
      for (const [member, of] of Object.entries(part as object)) membersOf(of, `${path}.${member}`, found);
    else if (Array.isArray(part)) for (const one of part as unknown[]) membersOf(one, path, found);
    else if (name === 'items' || name === 'additionalProperties') membersOf(part, path, found);
  }
  return found;
}

it.each(bodied.map((endpoint) => [endpoint.key, endpoint.body] as const))(
  'each member of a body of %s is a place for something hostile, also within what a good body lacks',
  (_key, schema) => {
    const places = new Set(
      [...placesIn(schema, sampleOf(schema, idFor), idFor)].map((place) => place.schema),
    );
    const missed = [...membersOf(schema)].filter(([member]) => !places.has(member)).map(([, path]) => path);
    expect(missed).toEqual([]);
  },
);

it('makes what a place needs around it, and leaves the rest as it was', () => {
  const schema = {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string' },
      rule: {
        anyOf: [
          { type: 'null' },
          {
            type: 'object',
            required: ['kind', 'list'],
            properties: {
              kind: { const: 'a' },
              list: { type: 'array', items: { type: 'object', properties: { n: { type: 'number' } } } },
            },
          },
        ],
      },
    },
  };
  const made = new Map([...placesIn(schema, { name: 'one' }, idFor)].map((one) => [one.path, one.put('!')]));
  expect(Object.fromEntries(made)).toEqual({
    '/name': { name: '!' },
    '/rule': { name: 'one', rule: '!' },
    '/rule/kind': { name: 'one', rule: { kind: '!', list: [{}] } },
    '/rule/list': { name: 'one', rule: { kind: 'a', list: '!' } },
    '/rule/list/0': { name: 'one', rule: { kind: 'a', list: ['!'] } },
    '/rule/list/0/n': { name: 'one', rule: { kind: 'a', list: [{ n: '!' }] } },
  });
});

it('of a union each kind is made, not only that of the good body', () => {
  const kind = (name: string, member: string) => ({
    type: 'object',
    required: ['kind'],
    properties: { kind: { const: name }, [member]: { type: 'number' } },
  });
  const schema = { type: 'object', properties: { of: { anyOf: [kind('a', 'x'), kind('b', 'y')] } } };
  const good = { of: { kind: 'a', x: 1 } };
  const bodies = [...placesIn(schema, good, idFor)].map((place) => place.put('!'));
  expect(bodies).toContainEqual({ of: { kind: 'b', y: '!' } });
  expect(bodies).toContainEqual({ of: { kind: 'a', x: '!' } });
  const calls = [...hostileCalls({ body: schema }, { body: good }, seeded(1), 2)];
  expect(calls.length).toBeGreaterThan(bodies.length);
});
