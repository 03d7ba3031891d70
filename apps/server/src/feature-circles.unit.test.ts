import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { expect, it } from 'vitest';
import { circleOf, folderGraph } from '../../../scripts/lib/import-graph.mjs';

/** Features that import each other, directly or by way of others, also types: each belongs to a level above or below. */
const features = join(import.meta.dirname, 'features');
const paths = readdirSync(features, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.split(sep).includes('testing'),
);
const sources = paths.map(
  (path) => [path.replaceAll(sep, '/'), readFileSync(join(features, path), 'utf8')] as const,
);

it('features import each other one way: what two need of each other lies in a third below both', () => {
  const graph = folderGraph(sources, (path) =>
    path.startsWith('../') ? null : (path.split('/')[0] ?? null),
  );
  expect(graph.size).toBeGreaterThan(20);
  expect([...graph.keys()].flatMap((feature) => circleOf(feature, graph) ?? [])).toEqual([]);
});
