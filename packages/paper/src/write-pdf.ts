import { drawFigure, drawFigures } from './draw-figure.ts';
import { drawFacts, drawHeading, drawListing, drawText, drawTitle } from './draw-text.ts';
import { drawTable } from './draw-table.ts';
import type { Fonts } from './fonts.ts';
import { type Deflate, deflated } from './pack-objects.ts';
import type { Paper, Part } from './paper.ts';
import { createPdf, endPdf } from './pdf.ts';
import { createSheet, type Sheet } from './sheet.ts';

/** A report as a tagged PDF. The same report gives the same bytes wherever it is made, but for what `deflate` makes of them. */
export function writePdf(paper: Paper, fonts: Fonts, deflate: Deflate = deflated): Promise<Uint8Array> {
  const doc = createPdf(paper, fonts);
  const sheet = createSheet(doc, paper);
  drawTitle(sheet, paper);
  for (const part of paper.parts) drawPart(sheet, part);
  sheet.finish();
  return endPdf(doc, deflate);
}

function drawPart(sheet: Sheet, part: Part): void {
  switch (part.kind) {
    case 'heading':
      return drawHeading(sheet, part);
    case 'text':
      return drawText(sheet, part);
    case 'facts':
      return drawFacts(sheet, part);
    case 'list':
      return drawListing(sheet, part);
    case 'figure':
      return drawFigure(sheet, part);
    case 'figures':
      return drawFigures(sheet, part);
    case 'table':
      return drawTable(sheet, part);
    default:
      return part satisfies never;
  }
}
