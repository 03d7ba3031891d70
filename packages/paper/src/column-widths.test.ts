import { expect, it } from 'vitest';
import { columnPlaces } from './column-widths.ts';
import { cellText, type Table } from './paper.ts';

/** Each letter is 10 wide, and 10 lie between two columns. */
const places = (columns: Table['columns'], row: string[], room: number) =>
  columnPlaces(
    { kind: 'table', summary: '', columns, rows: [row] },
    room,
    (cell) => cellText(cell).length * 10,
  ).map(({ width }) => Math.round(width));
const name = { title: 'NAME' };
const minutes = { title: 'MIN', isNumber: true };
const notes = { title: 'NOTES', isLong: true };

it.each([
  // What is over goes to the long one.
  ['room for all', [name, minutes, notes], ['A1234', '420', 'short'], 300, [50, 30, 200]],
  ['a long one that gives way', [name, minutes, notes], ['A1234', '420', 'x'.repeat(60)], 300, [50, 30, 200]],
  // 15 % of 280 for the long one: 42; 30 for the number, which stays whole; the rest for the name.
  [
    'no room for a name',
    [name, minutes, notes],
    ['x'.repeat(40), '420', 'x'.repeat(60)],
    300,
    [126, 30, 124],
  ],
  [
    'no room for two names',
    [name, minutes, name],
    ['x'.repeat(40), '420', 'x'.repeat(40)],
    300,
    [125, 30, 125],
  ],
])('columns with %s', (_what, columns, row, room, widths) => {
  expect(places(columns, row, room)).toEqual(widths);
});
