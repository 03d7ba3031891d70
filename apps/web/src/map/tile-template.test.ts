import { expect, test } from 'vitest';
import { tileTemplate } from './tile-template.ts';

test.each([
  ['https://tiles.test/{z}/{x}/{y}.png', 'https://tiles.test/{z}/{x}/{y}.png'],
  [
    'https://tiles.test/wmts/aerial/default/WebMercatorQuad/{TileMatrix}/{TileRow}/{TileCol}.jpeg',
    'https://tiles.test/wmts/aerial/default/WebMercatorQuad/{z}/{y}/{x}.jpeg',
  ],
  [
    'https://tiles.test/wmts?REQUEST=GetTile&TILEMATRIX={tilematrix}&TILEROW={tilerow}&TILECOL={tilecol}',
    'https://tiles.test/wmts?REQUEST=GetTile&TILEMATRIX={z}&TILEROW={y}&TILECOL={x}',
  ],
])('%s', (url, template) => {
  expect(tileTemplate(url)).toBe(template);
});
