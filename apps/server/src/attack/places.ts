import { sampleOf } from './sample-of.ts';

type Schema = Record<string, unknown>;

/** Where something can stand in a body, by its schema: also in what a good body lacks, and in each kind of a union. */
export interface Place {
  readonly path: string;
  readonly schema: unknown;
  /** Whether a good body has something there. */
  readonly isFilled: boolean;
  /** The body with something else there; what it needs around it is made. */
  put(given: unknown): unknown;
}

/** Schemas that hold themselves are followed so deep. */
const DEPTH_MAX = 12;

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Whether a value is of this kind of a union: what names the kind says the same. */
const isOfKind = (schema: Schema, value: Schema): boolean =>
  Object.entries(isObject(schema['properties']) ? schema['properties'] : {}).every(
    ([name, member]) => !isObject(member) || !('const' in member) || value[name] === member['const'],
  );

export function* placesIn(
  schema: unknown,
  value: unknown,
  idFor: (name: string) => string,
  put: Place['put'] = (given) => given,
  path = '',
): Generator<Place> {
  if (!isObject(schema) || path.split('/').length > DEPTH_MAX) return;
  for (const kinds of ['anyOf', 'oneOf', 'allOf'])
    for (const kind of listOf(schema[kinds])) yield* placesIn(kind, value, idFor, put, path);
  const named = Object.entries(isObject(schema['properties']) ? schema['properties'] : {});
  const free = Object.values(isObject(schema['patternProperties']) ? schema['patternProperties'] : {});
  const more = isObject(schema['additionalProperties']) ? [schema['additionalProperties']] : [];
  const members = [...named, ...[...free, ...more].map((member): [string, unknown] => ['x', member])];
  if (members.length > 0) {
    const isGiven = isObject(value) && isOfKind(schema, value);
    const around = isGiven ? value : (sampleOf({ ...schema, type: 'object' }, idFor) as Schema);
    for (const [name, member] of members) {
      const putHere = (given: unknown) => put({ ...around, [name]: given });
      const here = { path: `${path}/${name}`, schema: member };
      yield { ...here, isFilled: isGiven && name in around, put: putHere };
      yield* placesIn(member, around[name], idFor, putHere, here.path);
    }
  }
  const items = listOf(schema['items']);
  for (const [index, item] of (items.length > 0 ? items : [schema['items']]).entries()) {
    if (!isObject(item)) continue;
    const given = listOf(value);
    const putHere = (one: unknown) =>
      put(given.length > index ? given.map((other, at) => (at === index ? one : other)) : [...given, one]);
    const here = { path: `${path}/${index}`, schema: item };
    yield { ...here, isFilled: index < given.length, put: putHere };
    yield* placesIn(item, given[index], idFor, putHere, here.path);
  }
}
