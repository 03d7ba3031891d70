import type { Figure, Figures, Shape } from './paper.ts';
import type { Sheet } from './sheet.ts';

const SMALL = 8;

const [GAP, BELOW] = [10, 8];

/** A picture of vectors with its words; its text is text. */
export function drawFigure(sheet: Sheet, figure: Figure): void {
  drawRow(sheet, [figure]);
}

export function drawFigures(sheet: Sheet, { figures }: Figures): void {
  let row: Omit<Figure, 'kind'>[] = [];
  let width = 0;
  for (const figure of figures) {
    if (row.length > 0 && width + figure.drawing.width > sheet.width + 0.5) {
      drawRow(sheet, row);
      [row, width] = [[], 0];
    }
    row.push(figure);
    width += figure.drawing.width + GAP;
  }
  if (row.length > 0) drawRow(sheet, row);
}

function drawRow(sheet: Sheet, figures: readonly Omit<Figure, 'kind'>[]): void {
  const { doc } = sheet;
  const height = Math.max(...figures.map(({ drawing }) => drawing.height));
  sheet.keep(height);
  const top = sheet.y;
  let left = sheet.left;
  for (const { words, drawing } of figures) {
    const x = left;
    const draw = () => {
      doc.save().translate(x, top);
      for (const shape of drawing.shapes) drawShape(sheet, shape);
      doc.restore();
    };
    const bbox = [x, top, x + drawing.width, top + drawing.height] as const;
    sheet.tagged(sheet.root, 'Figure', draw, { alt: words, bbox, placement: 'Block' });
    left += drawing.width + GAP;
  }
  sheet.down(height + BELOW);
}

function drawShape({ pen }: Sheet, shape: Shape): void {
  switch (shape.kind) {
    case 'path':
      return pen.path(shape);
    case 'mark':
      return pen.mark(shape.mark, shape.x, shape.y, shape.size);
    case 'text': {
      const { text, x, y, size = SMALL, ink = 'dim', isStrong = false, at = 'start' } = shape;
      const style = { size, ink, isStrong };
      const back = at === 'start' ? 0 : pen.width(text, style) / (at === 'middle' ? 2 : 1);
      return pen.text(text, x - back, y, style);
    }
    default:
      return shape satisfies never;
  }
}
