import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const src = import.meta.dirname;
const statement = /\bsql(<[^`]*>)?`|\.(selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(/;
/** What a call means, and how it is answered: read without a thought for tables. */
const withoutSql = /\.(routes|service|feature)\.ts$|\/present-[\w-]+\.ts$|^http\/.*(?<!\.test)\.ts$/;

it('SQL stands in no routes, services or features', () => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) =>
    withoutSql.test(path),
  );
  expect(files.length).toBeGreaterThan(100);
  const astray = files.filter((path) => statement.test(readFileSync(join(src, path), 'utf8')));
  expect(
    astray,
    'move the statement to the feature’s .repo.ts, or to a file named for what it reads or writes',
  ).toEqual([]);
});
