import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** Lines of levels 1 and 2 of OWASP ASVS 5.0.0, by chapter. */
const lines = {
  V1: '1.1 1.2 2.1 2.2 2.3 2.4 2.5 2.6 2.7 2.8 2.9 3.1 3.2 3.3 3.4 3.5 3.6 3.7 3.8 3.9 3.10 3.11 4.1 4.2 4.3 5.1 5.2',
  V2: '1.1 1.2 1.3 2.1 2.2 2.3 3.1 3.2 3.3 3.4 4.1',
  V3: '2.1 2.2 3.1 3.2 3.3 3.4 4.1 4.2 4.3 4.4 4.5 4.6 5.1 5.2 5.3 5.4 5.5 7.1 7.2',
  V4: '1.1 1.2 1.3 2.1 3.1 3.2 4.1 4.2 4.3 4.4',
  V5: '1.1 2.1 2.2 2.3 3.1 3.2 4.1 4.2 4.3',
  V6: '1.1 1.2 1.3 2.1 2.2 2.3 2.4 2.5 2.6 2.7 2.8 2.9 2.10 2.11 2.12 3.1 3.2 3.3 3.4 4.1 4.2 4.3 4.4 5.1 5.2 5.3 5.4 5.5 6.1 6.2 6.3 8.1 8.2 8.3 8.4',
  V7: '1.1 1.2 1.3 2.1 2.2 2.3 2.4 3.1 3.2 4.1 4.2 4.3 4.4 4.5 5.1 5.2 6.1 6.2',
  V8: '1.1 1.2 2.1 2.2 2.3 3.1 4.1',
  V9: '1.1 1.2 1.3 2.1 2.2 2.3 2.4',
  V10: '1.1 1.2 2.1 2.2 3.1 3.2 3.3 3.4 4.1 4.2 4.3 4.4 4.5 4.6 4.7 4.8 4.9 4.10 4.11 5.1 5.2 5.3 5.4 5.5 6.1 6.2 7.1 7.2 7.3',
  V11: '1.1 1.2 2.1 2.2 2.3 3.1 3.2 3.3 4.1 4.2 4.3 4.4 5.1 6.1',
  V12: '1.1 1.2 1.3 2.1 2.2 3.1 3.2 3.3 3.4',
  V13: '1.1 2.1 2.2 2.3 2.4 2.5 3.1 3.2 4.1 4.2 4.3 4.4 4.5',
  V14: '1.1 1.2 2.1 2.2 2.3 2.4 3.1 3.2 3.3',
  V15: '1.1 1.2 1.3 2.1 2.2 2.3 3.1 3.2 3.3 3.4 3.5 3.6 3.7',
  V16: '1.1 2.1 2.2 2.3 2.4 2.5 3.1 3.2 3.3 3.4 4.1 4.2 4.3 5.1 5.2 5.3',
  V17: '1.1 2.1 2.2 2.3 2.4 3.1 3.2',
};
const wanted = Object.entries(lines).flatMap(([chapter, ids]) =>
  ids.split(' ').map((id) => `${chapter.slice(1)}.${id}`),
);

const root = new URL('../../../', import.meta.url);
const page = readFileSync(new URL('docs/security-asvs.md', root), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));

it('the list of ASVS has each line once, with one of four states and a reason', () => {
  const listed = rows.flatMap(([, ids = '']) => ids.split(', '));
  expect(listed.toSorted()).toEqual(wanted.toSorted());
  for (const [, ids, state, how] of rows) {
    expect(['met', 'deviating', 'not met', 'n/a'], ids).toContain(state);
    if (state !== 'met') expect(how, ids).not.toBe('');
  }
});

/** A test, the wall, or a command: what somebody else can try. */
const canBeTried = (shown: string) => /the wall|`[\w.-]+\.test\.tsx?`|`[\w./-]+ [^`]+`/.test(shown);

it('names a test or a command with each line that is met', () => {
  const untried = rows.filter(([, , state, , shown = '']) => state === 'met' && !canBeTried(shown));
  expect(untried.map(([, ids]) => ids)).toEqual([]);
});

const greps = rows.flatMap(([, ids = '', , , shown = '']) =>
  [...shown.matchAll(/`(grep [^`]+)`( finds none)?/g)].map(([, command = '', isNone]) => ({
    ids,
    command: command.replaceAll('\\|', '|'),
    finds: isNone === undefined ? 'something' : 'nothing',
  })),
);

it('has commands to try', () => expect(greps.length).toBeGreaterThan(15));

it.each(greps)('$ids: `$command` finds $finds', ({ command, finds }) => {
  const found = execFileSync('sh', ['-c', `${command} || test $? = 1`], {
    cwd: fileURLToPath(root),
    encoding: 'utf8',
  });
  expect(finds === 'nothing' ? found : found !== '').toEqual(finds === 'nothing' ? '' : true);
});

it('names tests that are there', () => {
  const there = new Set(
    ['apps', 'packages', 'e2e'].flatMap((folder) =>
      readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' }).map(
        (path) => path.split('/').at(-1) ?? '',
      ),
    ),
  );
  const named = [...page.matchAll(/`([\w.-]+\.test\.tsx?)`/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((name) => !there.has(name))).toEqual([]);
});
