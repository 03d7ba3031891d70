import type { Facts, Heading, Listing, Paper, Paragraph } from './paper.ts';
import { ended, type TextStyle } from './pen.ts';
import type { Sheet } from './sheet.ts';

const TITLE = { size: 18, isStrong: true } as const;
const HEADING = { size: 11.5, isStrong: true } as const;
const TEXT = { size: 9.5 } as const;
const LABEL = { size: 8.5, ink: 'dim' } as const;

const lineHeight = ({ size }: TextStyle) => size * 1.38;

export function drawTitle(sheet: Sheet, { title, farm, period }: Paper): void {
  const { pen } = sheet;
  sheet.doc.outline.addItem(title);
  sheet.tagged(sheet.root, 'H1', () =>
    drawLines(sheet, pen.lines(title, sheet.width, TITLE), sheet.left, TITLE),
  );
  const below = `${farm} · ${period}`;
  sheet.tagged(sheet.root, 'P', () =>
    drawLines(sheet, pen.lines(below, sheet.width, TEXT), sheet.left, { ...TEXT, ink: 'dim' }),
  );
  sheet.down(8);
}

/** Never the last thing on its page. */
export function drawHeading(sheet: Sheet, { text }: Heading): void {
  sheet.keep(80);
  sheet.down(8);
  sheet.doc.outline.addItem(text);
  const lines = sheet.pen.lines(text, sheet.width, HEADING);
  sheet.tagged(sheet.root, 'H2', () => drawLines(sheet, lines, sheet.left, HEADING));
  sheet.down(3);
}

export function drawText(sheet: Sheet, { text }: Paragraph): void {
  const lines = sheet.pen.lines(text, sheet.width, TEXT);
  sheet.keep(lines.length * lineHeight(TEXT));
  sheet.tagged(sheet.root, 'P', () => drawLines(sheet, lines, sheet.left, TEXT));
  sheet.down(5);
}

/** Two beside each other, read one after the other. */
export function drawFacts(sheet: Sheet, { facts }: Facts): void {
  const { pen, width } = sheet;
  const [labelWidth, gap] = [92, 16];
  const half = (width - gap) / 2;
  const room = half - labelWidth - 6;
  for (let n = 0; n < facts.length; n += 2) {
    const pair = facts
      .slice(n, n + 2)
      .map(([label, value]) => ({ label, lines: pen.lines(value, room, TEXT) }));
    const height = Math.max(...pair.map(({ lines }) => lines.length)) * lineHeight(TEXT);
    sheet.keep(height);
    for (const [column, { label, lines }] of pair.entries()) {
      const x = sheet.left + column * (half + gap);
      sheet.tagged(sheet.root, 'P', () => {
        pen.text(`${pen.cut(label, labelWidth, LABEL)}: `, x, sheet.y + 0.8, LABEL);
        for (const [nth, line] of lines.entries())
          pen.text(ended(line, nth, lines), x + labelWidth + 6, sheet.y + nth * lineHeight(TEXT), TEXT);
      });
    }
    sheet.down(height + 2);
  }
  sheet.down(6);
}

export function drawListing(sheet: Sheet, { items }: Listing): void {
  const { doc, pen } = sheet;
  const list = doc.struct('L');
  sheet.root.add(list);
  for (const item of items) {
    const lines = pen.lines(item, sheet.width - 14, TEXT);
    sheet.keep(lines.length * lineHeight(TEXT));
    const entry = doc.struct('LI');
    list.add(entry);
    sheet.tagged(entry, 'Lbl', () => pen.text('•', sheet.left + 2, sheet.y, TEXT));
    sheet.tagged(entry, 'LBody', () => drawLines(sheet, lines, sheet.left + 14, TEXT));
    entry.end();
    sheet.down(1.5);
  }
  list.end();
  sheet.down(5);
}

/** One below the other, and down past them. */
function drawLines(sheet: Sheet, lines: readonly string[], x: number, style: TextStyle): void {
  for (const [nth, line] of lines.entries()) {
    sheet.pen.text(ended(line, nth, lines), x, sheet.y, style);
    sheet.down(lineHeight(style));
  }
}
