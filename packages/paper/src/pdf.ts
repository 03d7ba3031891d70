import PDFDocument from 'pdfkit';
import type { Fonts } from './fonts.ts';
import { joined, packObjects } from './pack-objects.ts';
import type { Paper } from './paper.ts';

export const PAGE = { width: 595.28, height: 841.89, side: 42, top: 62, bottom: 56 } as const;

/** PDFKit's document as the builder uses it. */
export type Pdf = PDFKit.PDFDocument & { hasGlyph: (codePoint: number) => boolean };
export type Struct = PDFKit.PDFStructureElement;

/** What PDFKit 0.20 takes; its types are of 0.17. */
export interface StructOptions {
  readonly title?: string;
  readonly alt?: string;
  readonly scope?: 'Row' | 'Column';
  readonly bbox?: readonly [left: number, top: number, right: number, bottom: number];
  readonly placement?: 'Block';
}

/** PDFKit knows which letters a font has, and doesn't say. */
interface WithFont {
  readonly _font: { readonly font: { hasGlyphForCodePoint: (codePoint: number) => boolean } };
}

/** An empty file with a tree of structure, a language and a title that is shown: PDF/UA. No page yet. */
export function createPdf({ title, farm, madeAt }: Paper, fonts: Fonts): Pdf {
  const options: Omit<PDFKit.PDFDocumentOptions, 'subset'> & { subset: 'PDF/UA' } = {
    autoFirstPage: false,
    bufferPages: true,
    compress: true,
    displayTitle: true,
    lang: 'en-NZ',
    margin: 0,
    pdfVersion: '1.7',
    size: [PAGE.width, PAGE.height],
    subset: 'PDF/UA',
    tagged: true,
    // Helvetica, which a file would name and not have in it, is never chosen.
    font: '',
    info: {
      Title: `${title} – ${farm}`,
      Creator: 'Headrace',
      Producer: 'Headrace',
      CreationDate: new Date(madeAt),
    },
  };
  const doc = new PDFDocument(options as unknown as PDFKit.PDFDocumentOptions);
  doc.registerFont('plain', fonts.plain);
  doc.registerFont('strong', fonts.strong);
  doc.font('plain');
  const { font } = (doc as unknown as WithFont)._font;
  return Object.assign(doc, { hasGlyph: (codePoint: number) => font.hasGlyphForCodePoint(codePoint) });
}

/** Its bytes, once all is drawn. */
export function endPdf(doc: Pdf): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    doc.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    doc.on('error', reject);
    doc.on('end', () => {
      resolve(packObjects(joined(chunks)));
    });
    doc.end();
  });
}
