import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { inRoot, tools } from './paths.mjs';
import { precompress } from './precompress.mjs';
import { runNode } from './run.mjs';
import { sourceHash } from './source-hash.mjs';

const STAMP = '.source-hash';
const shared = ['package-lock.json', 'tsconfig.base.json', 'tsconfig.build.json'];
const tscParts = ['src', 'package.json', 'tsconfig.build.json'];
const webParts = ['src', 'public', 'vite', 'index.html', 'package.json', 'tsconfig.json', 'vite.config.ts'];

/** What is built, in order; `needs` are the workspaces whose sources end up in it or shape it. */
const targets = {
  device: { folder: 'packages/device', parts: tscParts, needs: [], make: compile },
  contract: { folder: 'packages/contract', parts: tscParts, needs: ['device'], make: compile },
  demo: { folder: 'packages/demo', parts: tscParts, needs: ['contract', 'device'], make: compile },
  paper: { folder: 'packages/paper', parts: tscParts, needs: ['contract', 'device'], make: compile },
  server: {
    folder: 'apps/server',
    parts: tscParts,
    needs: ['contract', 'device', 'demo', 'paper'],
    make: compile,
  },
  simulator: {
    folder: 'apps/simulator',
    parts: tscParts,
    needs: ['contract', 'device', 'demo'],
    make: compile,
  },
  bench: {
    folder: 'bench',
    parts: tscParts,
    needs: ['contract', 'device', 'demo', 'paper', 'server'],
    make: compile,
  },
  web: { folder: 'apps/web', parts: webParts, needs: ['contract', 'device', 'paper'], make: bundle },
};
/** What `npm start` runs. */
const appTargets = ['server', 'simulator', 'web'];

/** Builds what is out of date among `names` and what they need. Ends the process with a sentence when a build fails. */
export async function ensureBuilt(names = appTargets) {
  if (outOfDate(names).length === 0) return;
  await withLock(async () => {
    const stale = outOfDate(names);
    if (stale.length === 0) return;
    const started = Date.now();
    console.log(`Building ${stale.join(', ')} …`);
    const typescript = stale.filter((name) => name !== 'web');
    // tsc compiles against the packages before it; the web app takes sources, so it needn't wait.
    const done = await Promise.all([
      buildInOrder(typescript),
      buildInOrder(stale.filter((name) => name === 'web')),
    ]);
    if (done.includes(false)) {
      console.error('The build failed: the lines above say where. What was built before is still in place.');
      process.exit(1);
    }
    console.log(`Built in ${((Date.now() - started) / 1000).toFixed(1)} s.`);
  });
}

/** Drops what was built, so that the next build makes everything anew. */
export function forgetBuilds() {
  for (const { folder } of Object.values(targets)) rmSync(inRoot(folder, 'dist', STAMP), { force: true });
}

async function buildInOrder(names) {
  for (const name of names) {
    if (!(await build(targets[name]))) return false;
  }
  return true;
}

/** Into a folder beside, then swapped: a running copy never serves half a build, and a killed build leaves the old one. */
async function build(target) {
  const hash = hashOf(target);
  const [dist, next, old] = ['dist', '.dist-next', '.dist-old'].map((name) => inRoot(target.folder, name));
  rmSync(next, { recursive: true, force: true });
  if (!(await target.make(target, next))) return false;
  writeFileSync(join(next, STAMP), hash);
  rmSync(old, { recursive: true, force: true });
  try {
    renameSync(dist, old);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  renameSync(next, dist);
  rmSync(old, { recursive: true, force: true });
  return true;
}

async function compile(target, outDir) {
  const project = inRoot(target.folder, 'tsconfig.build.json');
  return (await runNode(tools.tsc, ['-p', project, '--outDir', outDir])).code === 0;
}

async function bundle(target, outDir) {
  const args = ['build', '--outDir', outDir, '--emptyOutDir', '--logLevel', 'warn'];
  const { code } = await runNode(tools.vite, args, { cwd: inRoot(target.folder) });
  if (code === 0) await precompress(outDir);
  return code === 0;
}

function outOfDate(names) {
  const wanted = new Set(names.flatMap((name) => (name === 'web' ? [name] : [...targets[name].needs, name])));
  return Object.keys(targets).filter(
    (name) => wanted.has(name) && stampOf(targets[name]) !== hashOf(targets[name]),
  );
}

function stampOf(target) {
  try {
    return readFileSync(inRoot(target.folder, 'dist', STAMP), 'utf8');
  } catch {
    return undefined;
  }
}

function hashOf(target) {
  const own = target.parts.map((part) => inRoot(target.folder, part));
  const needed = target.needs.map((name) => inRoot(targets[name].folder, 'src'));
  return sourceHash([...own, ...needed, ...shared.map((file) => inRoot(file))]);
}
