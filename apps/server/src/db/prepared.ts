import { CompiledQuery, sql } from 'kysely';
import type { Db } from './client.ts';

/** A placeholder in a statement for an argument of the call. */
class Argument {
  constructor(readonly name: PropertyKey) {}
}

const names = new Map<string, string>();

/** The name under which connections keep the plan of this text; undefined: it is planned at each run. */
export const nameOfStatement = (text: string): string | undefined => names.get(text);

/**
 * A statement that many calls run. It is compiled once, and each connection plans it once: planning took longer than running it. Its columns
 * must be listed, because a plan of `*` breaks when a migration adds a column. No two statements may have the same `name`. Pass a
 * list as one array.
 */
export function prepared<Args extends object, Row>(
  name: string,
  build: (
    db: Db,
    given: <Name extends keyof Args>(name: Name) => Args[Name],
  ) => { compile(db: Db): CompiledQuery<Row> },
): (db: Db, args: Args) => Promise<Row[]> {
  let built: CompiledQuery<Row> | undefined;
  return async (db, args) => {
    built ??= build(db, (argument) => new Argument(argument) as never).compile(db);
    names.set(built.sql, name);
    const values = built.parameters.map((value) =>
      value instanceof Argument ? args[value.name as keyof Args] : value,
    );
    return (await db.executeQuery<Row>(CompiledQuery.raw(built.sql, values))).rows;
  };
}

/**
 * A list that a prepared statement is given, for `unnest`. As a bare `$1::int[]` PostgreSQL looks into it, finds one item where it expects
 * ten, and plans each call anew: over the months of raw history that takes three times as long as reading a day of them.
 */
export const givenList = (list: unknown, type: 'int' | 'float8' | 'timestamptz') =>
  sql`(select ${list}::${sql.raw(type)}[])`;
