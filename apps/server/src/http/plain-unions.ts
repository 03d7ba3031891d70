type Json = unknown;
interface Node {
  readonly [member: string]: Json;
}
const isNode = (value: Json): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A reply's schema without unions, where what they are made of is written alike: for each value of a union the writer asks a validator
 * which member it is of. That takes twice as long as all else of a chart, and to make the validators of a reply a tenth of a second
 * on its first call, in which nobody else is served.
 */
export function plainUnions(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(plainUnions);
  if (!isNode(schema)) return schema;
  const { anyOf, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([member, value]) => [member, plainUnions(value)]),
  );
  if (!Array.isArray(anyOf)) return rest;
  const others = anyOf.filter((one) => !isNull(one));
  const one = asOne(others);
  if (!one) return { ...rest, anyOf };
  return { ...rest, ...one, ...(others.length < anyOf.length && { nullable: true }) };
}

const isNull = (schema: Json): boolean => isNode(schema) && schema['type'] === 'null';

/** A schema that writes each of these as its own does; null: there is none. */
function asOne(schemas: readonly Json[]): Node | null {
  const [one] = schemas;
  if (schemas.every(isText)) return { type: 'string' };
  if (schemas.length === 1) return isNode(one) && typeof one['type'] === 'string' ? one : null;
  return schemas.every(isObject) ? merged(schemas) : null;
}

/** Text of any kind is written alike. */
function isText(schema: Json): boolean {
  if (!isNode(schema)) return false;
  const { type, enum: names } = schema;
  return type === 'string' || (Array.isArray(names) && names.every((name) => typeof name === 'string'));
}

interface ObjectNode extends Node {
  readonly properties: Node;
  readonly required?: readonly string[];
}
const isObject = (schema: Json): schema is ObjectNode =>
  isNode(schema) &&
  schema['type'] === 'object' &&
  isNode(schema['properties']) &&
  !('additionalProperties' in schema) &&
  !('patternProperties' in schema);

/** With the members of all; what one of them does not have, is not required. */
function merged(schemas: readonly ObjectNode[]): Node {
  const names = new Set(schemas.flatMap(({ properties }) => Object.keys(properties)));
  const properties = Object.fromEntries(
    [...names].map((name) => [name, either(schemas.flatMap(({ properties: all }) => all[name] ?? []))]),
  );
  const required = [...names].filter((name) => schemas.every((one) => one.required?.includes(name)));
  return { type: 'object', properties, required };
}

function either(schemas: readonly Json[]): Json {
  const different = new Map(schemas.map((schema) => [JSON.stringify(schema), schema]));
  const [first, ...more] = different.values();
  return more.length === 0 ? first : plainUnions({ anyOf: [first, ...more] });
}
