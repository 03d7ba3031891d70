import { inTurns } from '../../jobs/in-turns.ts';

/** Text of JSON with sorted members, the same for the same value, made by turns. `indent`: blanks of each level, on lines of their own; 0: one line. */
export const sortedText = async (value: unknown, indent = 0): Promise<string> =>
  (await inTurns(piecesOf(value, indent, '\n'))).join('');

/** Long lists item by item; their items are short. `line`: the end of a line and the blanks that the next begins with. */
function* piecesOf(value: unknown, indent: number, line: string): Generator<string> {
  if (!isLong(value)) {
    yield textOf(value, indent, line);
    return;
  }
  const isList = Array.isArray(value);
  const hasMany = isList && value.length > LONG;
  const inner = line + ' '.repeat(indent);
  const colon = indent > 0 ? ': ' : ':';
  yield isList ? '[' : '{';
  let comma = '';
  for (const [name, member] of isList ? value.entries() : membersOf(value)) {
    const before = `${comma}${indent > 0 ? inner : ''}${isList ? '' : JSON.stringify(name) + colon}`;
    if (hasMany) yield `${before}${textOf(member, indent, inner)}`;
    else {
      yield before;
      yield* piecesOf(member, indent, inner);
    }
    comma = ',';
  }
  yield `${indent > 0 ? line : ''}${isList ? ']' : '}'}`;
}

/** A line's end stands between members alone: within texts it is escaped. */
function textOf(value: unknown, indent: number, line: string): string {
  const text = JSON.stringify(sorted(value), null, indent);
  return indent > 0 ? text.replaceAll('\n', line) : text;
}

const membersOf = (value: object): [string, unknown][] =>
  Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));

/** More than a moment's work as one text. */
const LONG = 100;
const isLong = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  ((Array.isArray(value) && value.length > LONG) || Object.values(value).some(isLong));

/** Members in the order of their names, all the way down. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}
