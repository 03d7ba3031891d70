import { expect, it } from 'vitest';
import { csvLines, csvStart, plainCell } from './csv-text.ts';
import { readTable } from './read-table.ts';

it('begins with the mark that Excel needs, then the names of the columns', () => {
  expect(csvStart(['day', 'sprinkler'])).toBe('\uFEFFday,sprinkler\r\n');
});

it.each([
  [
    'text that a spreadsheet would reckon',
    ['=1+1', '+64', '-A1', '@SUM'],
    `"'=1+1","'+64","'-A1","'@SUM"\r\n`,
  ],
  ['numbers, also those below nothing', [-5, 0.25], '-5,0.25\r\n'],
  ['what is not known', [null, 'A1'], ',A1\r\n'],
  ['quotes, commas and lines', ['a "b"', 'c,d', 'e\nf'], '"a ""b""","c,d","e\nf"\r\n'],
])('keeps %s as they are read', (_, row, line) => {
  expect(csvLines([row])).toBe(line);
});

it('has nothing for no rows', () => {
  expect(csvLines([])).toBe('');
});

it.each(['=1+1', "'=1+1", "''-5", "O'Brien", "'tis", '-', ''])('reads %j as it was written', (text) => {
  const written = readTable(csvLines([[text, 'x']])).rows[0]?.cells[0] ?? '';
  expect(plainCell(written)).toBe(text);
});
