/** Is package-lock.json one that `npm ci` accepts everywhere? */
import { readFileSync } from 'node:fs';
import { inRoot } from './lib/paths.mjs';

const { packages } = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8'));
const paths = Object.keys(packages);

/** The lock names no host and no repository, so that every machine installs from the registry it is set up for, and from nowhere else. */
const hosts = paths
  .filter((path) => packages[path].resolved && !packages[path].link)
  .map(
    (path) =>
      `${path} says where it comes from: of the registry set omit-lockfile-registry-resolved=true and make the lock anew; from elsewhere take nothing.`,
  );

/** Two copies of Mantine are two contexts: the second finds no provider. */
const mantine = paths.filter((path) => /node_modules\/@mantine\/[^/]+$/.test(path));
const nested = mantine
  .filter((path) => path.indexOf('node_modules/') !== 0 || path.lastIndexOf('node_modules/') > 0)
  .map((path) => `${path} is a second copy: pin every @mantine package to one version.`);

/** npm drops optional packages that the registry hadn't yet, and then `npm ci` refuses the lock on a fresh clone. */
const dropped = paths.flatMap((path) =>
  Object.keys(packages[path].optionalDependencies ?? {})
    .filter((name) => !resolves(path, name))
    .map(
      (name) =>
        `${path || 'the root'} wants ${name}, which the lock lacks: choose a version whose packages are all there.`,
    ),
);

/** Ranges move under a pinned lock on the next install. */
const loose = paths
  .filter((path) => !path.includes('node_modules/'))
  .flatMap((path) => {
    const { dependencies, devDependencies, optionalDependencies } = packages[path];
    return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
      .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      .map(([name, version]) => `${path || 'the root'} asks for ${name} ${version}: pin it exactly.`);
  });

/** As Node looks a package up: in this folder's node_modules, then in each one above. */
function resolves(from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/'), 0))) {
    if (packages[`${folder ? `${folder}/` : ''}node_modules/${name}`]) return true;
    if (folder === '') return false;
  }
}

const faults = [...hosts, ...nested, ...dropped, ...loose];
for (const fault of faults) console.error(fault);
if (faults.length === 0)
  console.log(`package-lock.json: ${paths.length} packages, nothing to complain about.`);
process.exitCode = faults.length > 0 ? 1 : 0;
