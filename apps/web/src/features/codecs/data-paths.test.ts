import { expect, it } from 'vitest';
import { previewMapping } from '@headrace/contract/rules/mapping-preview';
import { pathsOf } from './data-paths.ts';

it.each<[unknown, string[]]>([
  [{ water: { depth: 5 }, 'level mm': 7 }, ['water.depth', '["level mm"]']],
  [{ ports: [3, 4] }, ['ports[0]', 'ports[1]']],
  [{ ports: [{ total: 3 }, { total: 4 }] }, ['ports[0].total', 'ports[1].total']],
  [
    {
      channels: [
        { name: 'soil1', value: 27 },
        { name: 'soil2', value: 31 },
      ],
    },
    [
      'channels[?@.name=="soil1"].name',
      'channels[?@.name=="soil1"].value',
      'channels[?@.name=="soil2"].name',
      'channels[?@.name=="soil2"].value',
    ],
  ],
  [
    { m: [[{ measurementId: 4102, v: 12.9 }]] },
    ['m[0][?@.measurementId==4102].measurementId', 'm[0][?@.measurementId==4102].v'],
  ],
  // Names that come twice tell nothing apart, nor do names that can't be written.
  [
    {
      l: [
        { name: 'a', id: 1 },
        { name: 'a', id: 2 },
      ],
    },
    ['l[?@.id==1].name', 'l[?@.id==1].id', 'l[?@.id==2].name', 'l[?@.id==2].id'],
  ],
  [{ l: [{ name: 'a"b' }] }, ['l[0].name']],
])('offers the paths of %j', (data, paths) => {
  expect(pathsOf(data)).toEqual(paths);
  for (const path of paths) {
    const [preview] = previewMapping(data, [
      { path, metric: 'custom.any', text: { soil1: 1, soil2: 1, a: 1, 'a"b': 1 } },
    ]);
    expect(preview).toHaveProperty('value');
  }
});
