import { CompiledQuery } from 'kysely';
import type { Db } from './client.ts';

/** Stands in a statement for what a call gives. */
class Argument {
  constructor(readonly name: PropertyKey) {}
}

const names = new Map<string, string>();

/** The name under which a connection keeps the plan of this text; undefined: it makes one each time. */
export const nameOfStatement = (text: string): string | undefined => names.get(text);

/**
 * A statement that is asked for again and again: put into words once, and planned by each connection once, which took longer than
 * to carry it out. What it gives must be listed by column, since a plan of `*` breaks when a migration adds one. `name` is its
 * own among all of them; lists go in as one array.
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
