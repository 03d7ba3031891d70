import { columnPlaces, type Place } from './column-widths.ts';
import { type Cell, cellText, type Table } from './paper.ts';
import type { Struct } from './pdf.ts';
import { ended } from './pen.ts';
import type { Sheet } from './sheet.ts';

const HEAD = { size: 8, ink: 'dim', isStrong: true } as const;
const BODY = { size: 8.5 } as const;
const ROW_HEAD = { size: 8.5, isStrong: true } as const;
const [LINE, PAD, HEAD_HEIGHT] = [11.5, 2.6, 16];
export const MARK_ROOM = 13;

/** Its heads again on each page, as decoration: read aloud they are of the table, not of a page. Rows are never split. */
export function drawTable(sheet: Sheet, table: Table): void {
  const { doc, pen } = sheet;
  const places = columnPlaces(table, sheet.width, widthOf);
  const struct = doc.struct('Table', { title: table.summary });
  sheet.root.add(struct);
  sheet.keep(HEAD_HEIGHT + 2 * LINE);
  drawHead(struct);
  const body = doc.struct('TBody');
  struct.add(body);
  let rules: number[] = [];
  const ruleRows = () => {
    const d = rules.map((y) => `M ${sheet.left} ${y} H ${sheet.right}`).join(' ');
    if (d) sheet.decoration(() => pen.path({ d, stroke: 'rule', width: 0.35 }));
    rules = [];
  };
  for (const row of table.rows) {
    const lines = row.map((cell, n) => linesOf(cell, n));
    const height = Math.max(...lines.map(({ length }) => length)) * LINE + 2 * PAD;
    if (!sheet.hasRoom(height)) {
      ruleRows();
      sheet.newPage();
      sheet.decoration(() => headTexts());
    }
    drawRow(body, row, lines);
    sheet.down(height);
    rules.push(sheet.y);
  }
  ruleRows();
  struct.end();
  sheet.down(8);

  /** As it is drawn: figures in a plain column may be wider than strong ones. */
  function widthOf(cell: Cell, isHead: boolean, n: number): number {
    const room = typeof cell === 'string' ? 0 : MARK_ROOM;
    return room + pen.width(cellText(cell), isHead ? HEAD : styleOf(n));
  }
  function styleOf(n: number) {
    return table.columns[n]?.isRowHead ? ROW_HEAD : BODY;
  }
  function linesOf(cell: Cell, n: number): string[] {
    const { width } = placeOf(n);
    const room = typeof cell === 'string' ? width : width - MARK_ROOM;
    const text = cellText(cell);
    if (table.columns[n]?.isLong) return pen.lines(text, room, styleOf(n));
    return [pen.cut(text, room, styleOf(n))];
  }
  function placeOf(n: number): Place {
    return places[n] ?? { x: 0, width: 0 };
  }
  function xOf(text: string, n: number, style: typeof HEAD | typeof BODY | typeof ROW_HEAD): number {
    const { x, width } = placeOf(n);
    return sheet.left + x + (table.columns[n]?.isNumber ? width - pen.width(text, style) : 0);
  }
  function headText(n: number): void {
    const text = pen.cut(table.columns[n]?.title ?? '', placeOf(n).width, HEAD);
    pen.text(text, xOf(text, n, HEAD), sheet.y + 2, HEAD);
  }
  function headRule(): void {
    const y = sheet.y + HEAD_HEIGHT - 2;
    pen.path({ d: `M ${sheet.left} ${y} H ${sheet.right}`, stroke: 'dim', width: 0.75 });
  }
  function headTexts(): void {
    for (const n of table.columns.keys()) headText(n);
    headRule();
    sheet.down(HEAD_HEIGHT);
  }
  function drawHead(of: Struct): void {
    const head = doc.struct('THead');
    of.add(head);
    const row = doc.struct('TR');
    head.add(row);
    for (const n of table.columns.keys()) sheet.tagged(row, 'TH', () => headText(n), { scope: 'Column' });
    head.end();
    sheet.decoration(headRule);
    sheet.down(HEAD_HEIGHT);
  }
  function drawRow(of: Struct, row: readonly Cell[], lines: readonly (readonly string[])[]): void {
    const element = doc.struct('TR');
    of.add(element);
    for (const [n, cell] of row.entries()) {
      const isHead = table.columns[n]?.isRowHead === true;
      const draw = () => drawCell(cell, n, lines[n] ?? []);
      sheet.tagged(element, isHead ? 'TH' : 'TD', draw, isHead ? { scope: 'Row' } : {});
    }
    element.end();
  }
  function drawCell(cell: Cell, n: number, lines: readonly string[]): void {
    const style = styleOf(n);
    const indent = typeof cell === 'string' ? 0 : MARK_ROOM;
    if (typeof cell !== 'string')
      pen.mark(cell.mark, sheet.left + placeOf(n).x + 4.5, sheet.y + PAD + LINE / 2 - 0.6, 8);
    for (const [nth, line] of lines.entries())
      pen.text(ended(line, nth, lines), xOf(line, n, style) + indent, sheet.y + PAD + nth * LINE, style);
  }
}
