/**
 * `node scripts/check-size.mjs [<dist>]`: what browsers fetch of the built web app, in bytes after gzip, against its budgets.
 * Prints every figure and ends with a fault when one is over.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { inRoot } from './lib/paths.mjs';

const KIB = 1024;
const dist = process.argv[2] ?? inRoot('apps/web/dist');
const assets = readdirSync(join(dist, 'assets'));
const read = (name) => readFileSync(join(dist, 'assets', name));

/**
 * With names of other files that depend on nothing but these: their hashes change with every change anywhere, and a file that names
 * a hundred of them was up to 20 bytes larger or smaller for it.
 */
const steady = (name) =>
  read(name)
    .toString()
    .replace(
      /([\w.-]+)-[\w-]{8}(\.(?:js|css))\b/g,
      (_, source, end) => `${source}-${hashOf(source + end)}${end}`,
    );
const hashOf = (source) => createHash('sha256').update(source).digest('base64url').slice(0, 8);
const gzip = (name) => gzipSync(name.endsWith('.woff2') ? read(name) : steady(name), { level: 9 }).length;
const total = (names) => [...names].reduce((sum, name) => sum + gzip(name), 0);

/** The file that came of a source: `login-page.tsx` is `login-page-<hash>.js`. */
function chunk(source) {
  const found = assets.filter((name) => name.replace(/-[\w-]{8}\.js$/, '') === source);
  if (found.length === 1) return found[0];
  throw new Error(`${dist} has ${found.length} files of ${source}: name it anew in scripts/check-size.mjs`);
}

/** A chunk with all that it imports before it runs. */
function withImports(name, seen = new Set()) {
  if (seen.has(name)) return seen;
  seen.add(name);
  const imports = read(name)
    .toString()
    .matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g);
  for (const [, imported] of imports) withImports(imported, seen);
  return seen;
}
const withAll = (names) => new Set(names.flatMap((name) => [...withImports(name)]));
const without = (names, known) => [...names].filter((name) => !known.has(name));

const html = readFileSync(join(dist, 'index.html'), 'utf8');
const linked = (kind) =>
  [...html.matchAll(/(?:src|href)="\/assets\/([^"]+)"/g)]
    .map(([, name]) => name)
    .filter((name) => name.endsWith(kind));
const first = withAll(linked('.js'));
const frame = withAll([...first, ...['kit-provider', 'shell', 'toast-host'].map(chunk)]);
/** Without the header's menus, which are fetched when they are wanted. */
const signedIn = withAll([...frame, ...['signed-in', 'on-farm', 'header'].map(chunk)]);
const beyond = (source, known) => total(without(withImports(chunk(source)), known));

/** Every page's code beyond its frame, KiB; 95 where none is named: forms bring the kit's fields and menus. */
const pageBudgets = {
  'home-page': 15,
  'dashboard-page': 25.75,
  'device-form-page': 115,
  'group-map-page': 78,
  'many-pages': 109,
};
const pages = assets.flatMap((name) => name.match(/^(.+-pages?)-[\w-]{8}\.js$/)?.[1] ?? []);

/** What is fetched, its size and its budget, bytes. */
const figures = [
  ['JavaScript of index.html', total(first), 120 * KIB],
  ['style sheet of index.html', total(linked('.css')), 45 * KIB],
  ['text font', total(linked('.woff2')), 50 * KIB],
  ['sign-in page, with all before it', total(withAll([...frame, chunk('login-page')])), 160 * KIB],
  ['frame of signed-in pages', total(without(signedIn, first)), 42.75 * KIB],
  ...pages.map((page) => [page, beyond(page, signedIn), (pageBudgets[page] ?? 95) * KIB]),
  ['maps', beyond('use-sketch', signedIn), 90 * KIB],
  ['charts', beyond('engine', signedIn), 210 * KIB],
  ['reports on paper', gzip(chunk('paper-worker')), 240 * KIB],
];

for (const [what, bytes, budget] of figures) {
  const verdict = bytes > budget ? '  TOO MUCH' : '';
  console.log(`${what.padEnd(34)} ${String(bytes).padStart(8)} of ${String(budget).padStart(7)} B${verdict}`);
}
const over = figures.filter(([, bytes, budget]) => bytes > budget).length;
if (over > 0)
  console.error(`${over} over budget: load it later, or say in docs/performance.md why it must be more.`);
process.exitCode = over > 0 ? 1 : 0;
