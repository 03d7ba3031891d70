import { expect, it } from 'vitest';
import { writeCsv } from './write-csv.ts';

it('quotes what would break a row, and keeps text from being a formula', () => {
  const rows = [
    ['Name', 'Minutes'],
    ['=HYPERLINK("http://x")', -3],
    ['+64 21', 28],
    ['-1', null],
    ['@SUM(A1)', 1.5],
    ['Ōtaki, "top"', 0],
  ];
  expect(writeCsv(rows)).toBe(
    [
      '\uFEFFName,Minutes',
      `"'=HYPERLINK(""http://x"")",-3`,
      "'+64 21,28",
      "'-1,",
      "'@SUM(A1),1.5",
      '"Ōtaki, ""top""",0',
      '',
    ].join('\r\n'),
  );
});
