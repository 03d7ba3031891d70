type Schema = Record<string, unknown>;
const listOf = (value: unknown): Schema[] => (Array.isArray(value) ? (value as Schema[]) : []);
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** Something that a schema may take, with known ids where a member is named for one. Without knowing the farm it is a guess. */
export function sampleOf(schema: unknown, idFor: (name: string) => string, name = ''): unknown {
  const given = (schema ?? {}) as Schema;
  const [choice] = [...listOf(given['anyOf']), ...listOf(given['oneOf'])];
  if ('const' in given) return given['const'];
  if (Array.isArray(given['enum'])) return given['enum'][0];
  switch (given['type']) {
    case 'object':
      return sampleObject(given, idFor);
    case 'array':
      return [sampleOf(given['items'], idFor, name)];
    case 'integer':
    case 'number':
      return numberOf(choice?.['minimum']) ?? numberOf(given['minimum']) ?? 1;
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'string':
      return sampleText(given, idFor, name);
    default:
      return choice ? sampleOf(choice, idFor, name) : 'x';
  }
}

function sampleObject(schema: Schema, idFor: (name: string) => string): Record<string, unknown> {
  const members = Object.entries((schema['properties'] ?? {}) as Record<string, unknown>);
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as string[]) : []);
  return Object.fromEntries(
    members.flatMap(([name, member]) => (required.has(name) ? [[name, sampleOf(member, idFor, name)]] : [])),
  );
}

function sampleText(schema: Schema, idFor: (name: string) => string, name: string): string {
  if (/(id|uid|key)$/i.test(name)) return idFor(name);
  if (/email/i.test(name)) return 'attack@example.com';
  if (/mac/i.test(name)) return '0004A30BFFFFFFFE';
  if (/(at|from|to|until)$/i.test(name)) return new Date().toISOString();
  return 'Attack'
    .slice(0, numberOf(schema['maxLength']) ?? 6)
    .padEnd(numberOf(schema['minLength']) ?? 0, 'k');
}
