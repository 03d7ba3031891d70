type Json = unknown;
interface Node {
  readonly [member: string]: Json;
}
const isNode = (value: Json): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A reply's schema in which "this or null" is `nullable` where it was a union: for each value of a union the writer asks a validator
 * which member it is of, which takes twice as long as all else of a chart.
 */
export function plainNullables(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(plainNullables);
  if (!isNode(schema)) return schema;
  const { anyOf, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([member, value]) => [member, plainNullables(value)]),
  );
  if (anyOf === undefined) return rest;
  const one = orNull(anyOf);
  return one ? { ...rest, ...one, nullable: true } : { ...rest, anyOf };
}

/** What a union is besides null, where that is one type of which the writer knows null as well. */
function orNull(anyOf: Json): Node | null {
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return null;
  const others = anyOf.filter((one) => !(isNode(one) && one['type'] === 'null'));
  const [one] = others;
  return others.length === 1 && isNode(one) && typeof one['type'] === 'string' && !('const' in one)
    ? one
    : null;
}
