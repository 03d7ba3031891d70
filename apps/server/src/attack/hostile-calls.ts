import type { Endpoint } from '@headrace/contract/endpoint';
import {
  hostileBodies,
  hostileInQuery,
  hostileTexts,
  hostileThings,
  strangeMembers,
} from './hostile-values.ts';
import { placesIn } from './places.ts';
import { type Random, some } from './random.ts';

/** What a call says. */
export interface Call {
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
}

type Path = readonly (string | number)[];
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Where something stands in a value: leaves, and lists and objects themselves. Of a list the first alone. */
function* pathsIn(value: unknown, path: Path = []): Generator<Path> {
  if (path.length > 0) yield path;
  if (Array.isArray(value)) {
    if (value.length > 0) yield* pathsIn(value[0], [...path, 0]);
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) yield* pathsIn(member, [...path, name]);
  }
}

function put(value: unknown, [first, ...rest]: Path, given: unknown): unknown {
  if (first === undefined) return given;
  if (Array.isArray(value))
    return value.map((member: unknown, place) => (place === first ? put(member, rest, given) : member));
  return { ...(value as object), [first]: put((value as Record<string, unknown>)[first], rest, given) };
}

const membersOf = (schema: unknown): string[] =>
  isObject(schema) && isObject(schema['properties']) ? Object.keys(schema['properties']) : [];

/** Calls of an endpoint in which one thing is hostile, made from one that is good; so many for each place. */
export function* hostileCalls(
  endpoint: Pick<Endpoint, 'query' | 'body'>,
  good: Call,
  random: Random,
  perPlace: number,
  idFor: (name: string) => string = () => 'f'.repeat(24),
): Generator<Call> {
  const query = good.query ?? {};
  for (const name of new Set([...Object.keys(query), ...membersOf(endpoint.query)])) {
    for (const text of some(hostileInQuery, perPlace, random))
      yield { ...good, query: { ...query, [name]: text } };
    const { [name]: _gone, ...others } = query;
    yield { ...good, query: others };
  }
  if (!endpoint.body) return;
  const body = isObject(good.body) ? good.body : {};
  const all = [...hostileTexts, ...hostileThings];
  const known = new Set<string>();
  for (const place of placesIn(endpoint.body, body, idFor)) {
    known.add(place.path);
    // What good bodies lack is most of it: half as much for each, so that the whole stays short.
    const count = place.isFilled ? perPlace : Math.ceil(perPlace / 2);
    for (const value of some(all, count, random)) yield { ...good, body: place.put(value) };
  }
  // What no schema names: members of what may have any.
  for (const path of pathsIn(body))
    if (!known.has(`/${path.join('/')}`))
      for (const value of some(all, perPlace, random)) yield { ...good, body: put(body, path, value) };
  for (const value of some(hostileBodies, perPlace, random)) yield { ...good, body: value };
  yield { ...good, body: { ...body, ...strangeMembers } };
}

/** The same call with one id at a time exchanged, by what `otherOf` says of each text: null where it is no id. */
export function* mixedCalls(good: Call, otherOf: (id: string) => string | null): Generator<Call> {
  for (const part of ['query', 'body'] as const)
    for (const path of pathsIn(good[part])) {
      const found = path.reduce<unknown>(
        (value, name) => (isObject(value) ? value[String(name)] : undefined),
        good[part],
      );
      const other = typeof found === 'string' ? otherOf(found) : null;
      if (other !== null) yield { ...good, [part]: put(good[part], path, other) };
    }
}
