import { expect, it } from 'vitest';
import { firstRows } from './first-rows.ts';
import { writeCsv } from './write-csv.ts';

it('has a table begin as it was before it was written', () => {
  const rows = [
    ['name', 'notes', 'mm'],
    ['=A1', 'says "low",\nand is', 4.8],
    ['Ngā A2', null, 0],
    ['A3', '', 1],
  ];
  expect(firstRows(writeCsv(rows), 2)).toEqual({
    heads: ['name', 'notes', 'mm'],
    rows: [
      ['=A1', 'says "low",\nand is', '4.8'],
      ['Ngā A2', '', '0'],
    ],
    isCut: true,
  });
  expect(firstRows(writeCsv(rows), 3)).toMatchObject({ rows: { length: 3 }, isCut: false });
  expect(firstRows(writeCsv([['name']]), 3)).toEqual({ heads: ['name'], rows: [], isCut: false });
});
