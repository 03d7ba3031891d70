/** What folders of sources import of each other, for the tests that hold the order of layers. */
import { dirname, join } from 'node:path/posix';

/** `from '…'`, `import('…')` and `import '…'`, so also types and what is loaded later. */
const RELATIVE_IMPORT = /\b(?:from|import)\s*\(?\s*'(\.[^']*)'/g;

/** What the source at `path` imports by relative path, as paths from the same root. */
function importsOf(path, text) {
  return [...text.matchAll(RELATIVE_IMPORT)].map(([, target]) => join(dirname(path), target));
}

/**
 * By folder, what it imports: the other folder, and the first file that does. `folderOf` says to which folder a path belongs; null: to
 * none that counts.
 */
export function folderGraph(sources, folderOf) {
  const graph = new Map();
  for (const [path, text] of sources) {
    const from = folderOf(path);
    if (from === null) continue;
    const own = graph.get(from) ?? new Map();
    graph.set(from, own);
    for (const target of importsOf(path, text)) {
      const to = folderOf(target);
      if (to !== null && to !== from && !own.has(to)) own.set(to, path);
    }
  }
  return graph;
}

/** A way from a folder back to itself, as "a (file) → b (file) → a"; null where there is none. */
export function circleOf(start, graph) {
  const seen = new Set();
  const walk = (at, way) => {
    for (const [to, file] of graph.get(at) ?? []) {
      const step = `${way} (${file}) → ${to}`;
      if (to === start) return step;
      if (seen.has(to)) continue;
      seen.add(to);
      const found = walk(to, step);
      if (found) return found;
    }
    return null;
  };
  return walk(start, start);
}
