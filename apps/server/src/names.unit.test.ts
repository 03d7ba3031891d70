import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve, sep } from 'node:path';
import { expect, it } from 'vitest';

/** Names follow docs/glossary.md: these stand for nothing that an engineer would look for. Migrations keep the names of their day. */
const COINAGES = ['bones', 'complaint', 'complaints', 'desk', 'door', 'told', 'untold', 'words'];

const root = resolve(import.meta.dirname, '../../..');
const sources = ['apps', 'packages', 'bench', 'e2e'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => [folder, ...path.split(sep)].join('/'))
    .filter((path) => /\.tsx?$/.test(path) && !/\/(node_modules|dist|migrations)\//.test(path)),
);

const DECLARED =
  /^(?:export )?(?:async )?(?:function|class|interface|type) (\w+)|^export const (\w+)|^const (\w+) = (?:async )?\(/gm;

const declared = (path: string) =>
  [...readFileSync(join(root, path), 'utf8').matchAll(DECLARED)].map((match) => match.slice(1).join(''));

/** `createTlsDoor`, `tls-door` and `TLS_DOOR`: create, tls, door. */
const partsOf = (name: string) =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z]+/);

it('names of files, functions and types are terms that the field has, as the glossary asks', () => {
  const names = sources.flatMap((path) =>
    [basename(path), ...declared(path)].map((name) => ({ name, path })),
  );
  expect(names.length).toBeGreaterThan(5000);
  expect(names.filter(({ name }) => partsOf(name).some((part) => COINAGES.includes(part)))).toEqual([]);
});
