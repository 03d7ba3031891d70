import type { Paper } from './paper.ts';
import { type Pdf, PAGE, type Struct, type StructOptions } from './pdf.ts';
import { createPen } from './pen.ts';

type StructType = Parameters<Pdf['struct']>[0];

/**
 * Pages with what is drawn on them, from the top down. There are two ways to draw: as a part of the structure (`tagged`) or as decoration
 * (`decoration`), so nothing is there that the structure doesn't know of.
 */
export function createSheet(doc: Pdf, paper: Paper) {
  const pen = createPen(doc);
  const root = doc.struct('Document', { title: paper.title });
  doc.addStructure(root);
  let y: number = PAGE.top;

  function newPage(): void {
    doc.addPage({ margin: 0, size: [PAGE.width, PAGE.height] });
    y = PAGE.top;
  }
  function decoration(draw: () => void, type: 'Layout' | 'Pagination' = 'Layout'): void {
    doc.markContent('Artifact', { type });
    draw();
    doc.endMarkedContent();
  }
  newPage();

  return {
    doc,
    pen,
    root,
    decoration,
    newPage,
    left: PAGE.side,
    right: PAGE.width - PAGE.side,
    width: PAGE.width - 2 * PAGE.side,
    get y() {
      return y;
    },
    down(by: number): void {
      y += by;
    },
    hasRoom: (height: number): boolean => y + height <= PAGE.height - PAGE.bottom,

    /** On the next page unless there is so much left of this one. */
    keep(height: number): void {
      if (y > PAGE.top && y + height > PAGE.height - PAGE.bottom) newPage();
    },

    /** A part of the structure, with what it shows. */
    tagged(parent: Struct, type: StructType, draw: () => void, options: StructOptions = {}): void {
      const element = doc.struct(type, options);
      parent.add(element);
      element.add(draw);
      element.end();
    },

    /** Head and foot of all pages, once it is known how many there are. */
    finish(): void {
      const { count } = doc.bufferedPageRange();
      for (let page = 0; page < count; page += 1) {
        doc.switchToPage(page);
        decoration(() => drawFrame(page + 1, count), 'Pagination');
      }
      root.end();
    },
  };

  function drawFrame(page: number, count: number): void {
    const [left, right, style] = [PAGE.side, PAGE.width - PAGE.side, { size: 8, ink: 'dim' } as const];
    const title = `${paper.title} · ${paper.period}`;
    const titleX = right - pen.width(title, style);
    pen.text(pen.cut(paper.farm, titleX - left - 16, { ...style, isStrong: true }), left, 30, {
      ...style,
      isStrong: true,
    });
    pen.text(title, titleX, 30, style);
    pen.path({ d: `M ${left} 44 H ${right}`, stroke: 'rule', width: 0.5 });
    const of = `page ${page} of ${count}`;
    const ofX = right - pen.width(of, style);
    const below = PAGE.height - 36;
    pen.text(pen.cut(paper.foot, ofX - left - 16, style), left, below, style);
    pen.text(of, ofX, below, style);
  }
}
export type Sheet = ReturnType<typeof createSheet>;
