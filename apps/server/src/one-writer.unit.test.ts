import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';

/** Where a table may be written: everything else asks there, so that versions, lists and logs are never left out. */
const writers: [table: string, places: string[]][] = [
  [
    'device',
    [
      'features/devices/',
      // Puts records back as they were, with their versions and log.
      'features/undo/put-back.ts',
      // A whole farm goes at once.
      'features/farms/',
      // A copy for a trial restore, that is rolled back.
      'features/transfer/backups/prove.ts',
      'features/demo/',
    ],
  ],
];

const src = import.meta.dirname;
const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((path) => relative(src, join(src, path)).replaceAll('\\', '/'))
  .filter(
    (path) => path.endsWith('.ts') && !/\.test\.ts$|\/testing\/|^testing\/|^db\/migrations\//.test(path),
  );

const writes = (table: string) =>
  new RegExp(
    `(updateTable|insertInto|deleteFrom)\\('${table}[' ]|(update|insert into|delete from) ${table}\\b`,
    'i',
  );

it.each(writers)('%s is written in one place', (table, places) => {
  const found = sources.filter((path) => writes(table).test(readFileSync(join(src, path), 'utf8')));
  expect(found.filter((path) => !places.some((place) => path.startsWith(place)))).toEqual([]);
  expect(found).not.toEqual([]);
});

it('which set a farm waters by is written by those who own sets', () => {
  const writesSet = /\bset [^`]*\bcurrent_set_id =|\.set\([^)]*current_set_id\b/;
  const found = sources.filter((path) => writesSet.test(readFileSync(join(src, path), 'utf8')));
  expect(found).toEqual(['features/schedules/current-set-writer.ts']);
});

/** Who names sets in a statement of their own, besides those who own them: for the name, or for what a send was to carry. */
const readersOfSets = [
  'features/commands/catch-ups.repo.ts',
  'features/commands/changed-by-send.ts',
  'features/commands/wanted-by-send.ts',
  'features/demo/first-send.ts',
  'features/demo/seed-schedules.ts',
  // Counts and takes away whole farms.
  'features/farms/farms.repo.ts',
  'features/farms/purge-farms.ts',
  'features/programmes/programmes.repo.ts',
  'features/timeline/timeline.repo.ts',
];

it('sets are read by those who own them, and by statements that are written down', () => {
  const readsSet = /(from|join) schedule_set\w*|(selectFrom|[jJ]oin)\('schedule_set|'schedule_set(_unit)?'/;
  const found = sources.filter(
    (path) => path.startsWith('features/') && readsSet.test(readFileSync(join(src, path), 'utf8')),
  );
  expect(found.filter((path) => !path.startsWith('features/schedules/')).toSorted()).toEqual(readersOfSets);
});
