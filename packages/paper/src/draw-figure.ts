import type { Figure, Shape } from './paper.ts';
import type { Sheet } from './sheet.ts';

const SMALL = 8;

/** A picture of vectors with its words; its text is text. */
export function drawFigure(sheet: Sheet, { words, drawing }: Figure): void {
  const { doc, left } = sheet;
  sheet.keep(drawing.height);
  const top = sheet.y;
  const draw = () => {
    doc.save().translate(left, top);
    for (const shape of drawing.shapes) drawShape(sheet, shape);
    doc.restore();
  };
  const bbox = [left, top, left + drawing.width, top + drawing.height] as const;
  sheet.tagged(sheet.root, 'Figure', draw, { alt: words, bbox, placement: 'Block' });
  sheet.down(drawing.height + 8);
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
