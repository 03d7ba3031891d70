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

const REMEDY =
  'Move what both need into a feature below them, or have app.ts pass it to the one that calls the other (app.ts lists them in order).';
/** Also its types: they are the shape of rows. */
const OTHER_REPO = /from '(\.\.\/(?:[\w-]+\/)+[\w.-]+\.repo\.ts)'/g;

it('features import each other one way: what two need of each other lies in a third below both', () => {
  const graph = folderGraph(sources, (path) =>
    path.startsWith('../') ? null : (path.split('/')[0] ?? null),
  );
  expect(graph.size).toBeGreaterThan(20);
  const circles = [...graph.keys()].flatMap((feature) => circleOf(feature, graph) ?? []);
  expect(circles.map((circle) => `${circle} is a circle. ${REMEDY}`)).toEqual([]);
});

it('a service calls other features’ services, never their repositories', () => {
  const services = sources.filter(([path]) => path.endsWith('.service.ts'));
  expect(services.length).toBeGreaterThan(30);
  const astray = services.flatMap(([path, text]) =>
    [...text.matchAll(OTHER_REPO)].map(
      ([, repo]) =>
        `${path} imports ${repo}. Take what it needs from that feature's service, as an argument.`,
    ),
  );
  expect(astray).toEqual([]);
});
