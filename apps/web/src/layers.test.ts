import { expect, test } from 'vitest';
import { circleOf, folderGraph } from '../../../scripts/lib/import-graph.mjs';
import { featureImports, layers } from './testing/layers.ts';

const texts = import.meta.glob<string>(['./**/*.{ts,tsx}', '!./**/*.test.{ts,tsx}'], {
  query: '?raw',
  import: 'default',
  eager: true,
});
/** What is made for tests may import anything. */
const isForTests = (path: string) => /-fixtures\.tsx?$|^testing\//.test(path);
const sources = Object.entries(texts)
  .map(([path, text]) => [path.slice('./'.length), text] as const)
  .filter(([path]) => !isForTests(path));

const folderOf = (path: string) => path.split('/')[0] ?? null;
const featureOf = (path: string) => (path.startsWith('features/') ? (path.split('/')[1] ?? null) : null);
const folders = folderGraph(sources, folderOf);
const features = folderGraph(sources, featureOf);

const layerOf = (folder: string) => layers.findIndex((names) => names.includes(folder));
const REMEDY =
  'Move what both need into a layer below them (testing/layers.ts), or pass it in from app as a child or a prop.';

test('every folder stands in a layer, and every layer is there', () => {
  expect([...folders.keys()].sort()).toEqual(layers.flat().sort());
});

test('a layer imports only from layers below it', () => {
  const upwards = [...folders].flatMap(([from, imports]) =>
    [...imports]
      .filter(([to]) => layerOf(to) <= layerOf(from))
      .map(([to, file]) => `${file} imports from ${to}, which is not below ${from}. ${REMEDY}`),
  );
  expect(upwards).toEqual([]);
});

test('features import each other one way', () => {
  const circles = [...features.keys()].flatMap((feature) => circleOf(feature, features) ?? []);
  expect(circles.map((circle) => `${circle} is a circle. ${REMEDY}`)).toEqual([]);
});

test('a feature imports the features that are written down for it, and no others', () => {
  const importsOf = (feature: string) => featureImports[feature] ?? [];
  const unwritten = [...features].flatMap(([from, imports]) =>
    [...imports]
      .filter(([to]) => !importsOf(from).includes(to))
      .map(
        ([to, file]) =>
          `${file}: ${from} may not import ${to}. ${REMEDY} Else write it in testing/layers.ts.`,
      ),
  );
  const unused = Object.keys(featureImports).flatMap((from) =>
    importsOf(from)
      .filter((to) => !features.get(from)?.has(to))
      .map((to) => `${from} doesn't import ${to} any more: take it out of testing/layers.ts.`),
  );
  expect([...unwritten, ...unused]).toEqual([]);
});
