import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const inRoot = (...parts) => join(root, ...parts);

/** Programs of installed packages, run with this Node: no shell, no lookup in PATH. */
export const tools = {
  tsc: inRoot('node_modules/typescript/bin/tsc'),
  vite: inRoot('node_modules/vite/bin/vite.js'),
  vitest: inRoot('node_modules/vitest/vitest.mjs'),
  biome: inRoot('node_modules/@biomejs/biome/bin/biome'),
  oxlint: inRoot('node_modules/oxlint/bin/oxlint'),
  knip: inRoot('node_modules/knip/bin/knip.js'),
};
