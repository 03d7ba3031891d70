import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, resolve, sep } from 'node:path';
import { endpoints } from '@headrace/contract/api';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { backupCommands } from './features/operator/backup/backup-commands.ts';
import { commands } from './features/operator/operator-commands.ts';

/** What README, ARCHITECTURE, CONTRIBUTING and docs/ name has to exist. Decisions are left out: they tell of their day. */
const root = resolve(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const folders = ['apps', 'packages', 'docs', 'scripts', 'bench', 'e2e', 'deploy'];
const paths = [
  ...readdirSync(root),
  ...folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
      [folder, ...path.split(sep)].join('/'),
    ),
  ),
].filter((path) => !/(^|\/)(node_modules|dist)\//.test(path));
const exists = new Set(paths);

const papers = paths.filter(
  (path) =>
    path.endsWith('.md') && path !== 'CHANGELOG.md' && !/^(apps|packages|docs\/decisions)\//.test(path),
);
const quoted = (paper: string) => [...read(paper).matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);
/** `npm run …` stands in code blocks as well. */
const npmRuns = (paper: string) =>
  [...read(paper).matchAll(/npm run ([\w-]+)((?: -- [\w-]+)?)/g)].map(([, name = '', rest = '']) => ({
    name,
    argument: rest.slice(' -- '.length),
  }));

/** `db/client.ts` stands for every path that ends so, `<subject>` and `*` for any name; what is built, for its source. */
function isThere(named: string): boolean {
  const source = named.replace(/\/$/, '').replace(/\/dist\/(.*)\.js$/, '/src/$1.ts');
  const pattern = source
    .split(/<\w+>|\*+/)
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('.+');
  const ending = new RegExp(`(^|/)${pattern}$`);
  return paths.some((path) => ending.test(path));
}

const isPath = (text: string) =>
  /^[\w@.<*][^ {}:]*$/.test(text) &&
  !/^[.@]/.test(text) &&
  (/\.(ts|tsx|mjs|css|md)$/.test(text) || folders.includes(text.split('/')[0] ?? ''));

/** As GitHub makes the anchor of a heading. */
const anchorsOf = (paper: string) =>
  [...read(paper).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

function isLinkGood(paper: string, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const path = file === '' ? paper : posix.normalize(posix.join(posix.dirname(paper), file));
  return exists.has(path.replace(/\/$/, '')) && (anchor === undefined || anchorsOf(path).includes(anchor));
}

/** Every name that stands in a source, a script or a configuration of the repository. */
const namesInSources = new Set(
  paths
    .filter((path) =>
      /\.(ts|tsx|mjs|js|css|json|grit|yml|yaml|service|container|conf|hocon)$|(^|\/)Dockerfile$/.test(path),
    )
    .flatMap((path) => read(path).match(/[A-Za-z_$][\w$]*/g) ?? []),
);
/** Names as only programs have them: `enqueueJob`, `SendFailure`, `SMS_URL`. */
const isName = (text: string) => /^([a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|[A-Z]+(_[A-Z]+)+)$/.test(text);

/** Of other people's programs. */
const outsideNames = new Set([
  'GoogleMapsCompatible',
  'decodeUplinkShort',
  'measurementValue',
  'visibleFrom',
]);

describe.each(papers)('%s', (paper) => {
  it('names functions, types and settings that exist', () => {
    const named = quoted(paper).flatMap((text) => text.replace(/\(.*/, '').split('.').filter(isName));
    expect(named.filter((name) => !namesInSources.has(name) && !outsideNames.has(name))).toEqual([]);
  });

  it('names files and folders that exist', () => {
    const named = quoted(paper).map((text) => text.replace(/^node /, '').replace(/ .*/, ''));
    expect(named.filter((text) => isPath(text) && !isThere(text))).toEqual([]);
  });

  it('links to files and headings that exist', () => {
    const links = [...read(paper).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !/^[a-z]+:/.test(link) && !isLinkGood(paper, link))).toEqual([]);
  });

  it('names endpoints of the contract', () => {
    const calls = new Set<string>(endpoints.map(({ key }) => key));
    /** The simulator's control port has calls of its own. */
    const others = paper === 'docs/simulator.md' ? ['GET /state', 'POST /fault'] : [];
    const named = quoted(paper).flatMap((text) => /^(GET|POST|PUT|DELETE) \/[^ ?]*/.exec(text)?.[0] ?? []);
    const unknown = named.map((call) => call.replace(' /v1/', ' /')).filter((call) => !calls.has(call));
    expect(unknown.filter((call) => !others.includes(call))).toEqual([]);
  });

  it('names commands that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const runs = npmRuns(paper);
    expect(runs.filter(({ name }) => !(name in scripts))).toEqual([]);
    const admin = new Set(['help', ...Object.keys(commands), ...Object.keys(backupCommands)]);
    const asked = runs.filter(({ name, argument }) => name === 'admin' && argument !== '');
    expect(asked.filter(({ argument }) => !admin.has(argument))).toEqual([]);
    const bench = runs.filter(({ name, argument }) => name === 'bench' && argument !== '');
    expect(
      bench.filter(({ argument }) => !read('bench/src/main.ts').includes(`\n  ${argument}: bench`)),
    ).toEqual([]);
  });
});

describe('docs/configuration.md', () => {
  const [settings = ''] = read('docs/configuration.md').split('\n## Letting other machines in');
  const named = settings
    .split('\n')
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([A-Z_]+)`/g)])
    .map(([, name = '']) => name);

  it('has every setting that the server reads', () => {
    const asked: string[] = [];
    const env = new Proxy<NodeJS.ProcessEnv>({}, { get: (_, name) => void asked.push(String(name)) });
    readConfig(env, [], root);
    expect(asked.length).toBeGreaterThan(30);
    expect(asked.filter((name) => !named.includes(name))).toEqual([]);
  });

  it('has no setting that the server does not read', () => {
    const readers = paths
      .filter((path) => /^apps\/server\/src\/config[^/]*(?<!test)\.ts$/.test(path))
      .map(read);
    expect(named.filter((name) => !readers.some((text) => text.includes(`'${name}'`)))).toEqual([]);
  });
});

it('the folders that ARCHITECTURE.md lists exist', () => {
  const [, listed = ''] = read('ARCHITECTURE.md').split('```');
  const named = [...listed.matchAll(/^(\S+) {2,}/gm)].map(([, path = '']) => path.replace(/\/(src)?$/, ''));
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((path) => !exists.has(path))).toEqual([]);
});

it('docs/performance.md names every part of the benchmarks', () => {
  const [, parts = ''] = /const parts[^{]*\{([^}]*)\}/.exec(read('bench/src/main.ts')) ?? [];
  const names = [...parts.matchAll(/^\s+(\w+):/gm)].map(([, name = '']) => name);
  const paper = read('docs/performance.md');
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !paper.includes(`\`${name}\``))).toEqual([]);
});
