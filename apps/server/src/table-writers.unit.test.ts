import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { expect, it } from 'vitest';

/** docs/tables.md says which features write each table; this compares it with the statements in the code. */
const src = import.meta.dirname;
const read = (path: string) => readFileSync(join(src, path), 'utf8');

const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((path) => path.split(sep).join('/'))
  .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|(^|\/)testing\/|^db\/migrations\//.test(path))
  .map((path) => ({ owner: ownerOf(path), text: read(path) }));

/** The feature, or else the folder. */
function ownerOf(path: string): string {
  const [folder = '', feature = ''] = path.split('/');
  return folder === 'features' ? feature : folder;
}

const tables = readdirSync(join(src, 'db/schema')).flatMap((file) => tablesIn(read(`db/schema/${file}`)));

/** The members of `export interface FarmTables { … }` and its like. */
function tablesIn(schema: string): string[] {
  const [, members = ''] = /^export interface \w+Tables \{\n(.*?)^\}/ms.exec(schema) ?? [];
  return [...members.matchAll(/^ {2}([a-z_]+):/gm)].map(([, name = '']) => name);
}

const documented = new Map<string, string[]>();
for (const line of read('../../../docs/tables.md').split('\n')) {
  const [, names, , writers] = line.split('|');
  if (writers === undefined) continue;
  for (const [, name = ''] of (names ?? '').matchAll(/`([a-z_]+)`/g))
    documented.set(
      name,
      writers.split(',').map((writer) => writer.trim()),
    );
}

function writersOf(table: string): string[] {
  const statement = new RegExp(
    `(updateTable|insertInto|deleteFrom|mergeInto)\\(\\s*'${table}[' ]|(update|insert into|delete from) ${table}\\b`,
    'i',
  );
  return [...new Set(sources.filter(({ text }) => statement.test(text)).map(({ owner }) => owner))];
}

it('every table is on the page of tables, and no other', () => {
  expect(tables.length).toBeGreaterThan(40);
  expect([...documented.keys()].toSorted()).toEqual(tables.toSorted());
});

it.each(tables)('%s is written only by the features that the page names', (table) => {
  expect(writersOf(table).filter((writer) => !documented.get(table)?.includes(writer))).toEqual([]);
});
