import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './paths.mjs';

/** Tests are no part of a build: editing one rebuilds nothing. */
const isTest = (path) => /\.test\.tsx?$/.test(path) || /(^|\/)testing(\/|$)/.test(path);

/** SHA-256 over paths and contents of the files below `paths` (files or folders, absolute; absent ones are skipped). */
export function sourceHash(paths) {
  const hash = createHash('sha256');
  for (const file of paths.flatMap(filesBelow).toSorted()) {
    hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

export function filesBelow(path) {
  if (isTest(relative(root, path))) return [];
  try {
    return readdirSync(path, { withFileTypes: true }).flatMap((entry) => filesBelow(join(path, entry.name)));
  } catch (error) {
    if (error.code === 'ENOTDIR') return [path];
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}
