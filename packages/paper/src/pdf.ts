import PDFDocument from 'pdfkit';
import type { Fonts } from './fonts.ts';
import { type FileObjects, gatherObjects } from './file-objects.ts';
import { type Deflate, joined, packObjects } from './pack-objects.ts';
import type { Paper } from './paper.ts';
import { rememberRuns, type Run } from './remember-runs.ts';

export const PAGE = { width: 595.28, height: 841.89, side: 42, top: 62, bottom: 56 } as const;

/** PDFKit's document as the builder uses it. */
export type Pdf = PDFKit.PDFDocument & {
  hasGlyph: (codePoint: number) => boolean;
  /** All but what stood there at first. */
  written: () => FileObjects;
};
export type Struct = PDFKit.PDFStructureElement;

/** What PDFKit 0.20 takes; its types are of 0.17. */
export interface StructOptions {
  readonly title?: string;
  readonly alt?: string;
  readonly scope?: 'Row' | 'Column';
  readonly bbox?: readonly [left: number, top: number, right: number, bottom: number];
  readonly placement?: 'Block';
}

/** What PDFKit knows of the font that is chosen, and doesn't say. */
interface WithFont {
  readonly _font: ChosenFont;
}
interface ChosenFont {
  readonly font: { readonly hasGlyphForCodePoint: (codePoint: number) => boolean };
  /** As pages name it. */
  readonly id: string;
  /** Of a thousandth of its size. */
  readonly ascender: number;
  readonly ref: () => unknown;
  layout: (text: string, features?: unknown) => Run;
  /** Glyphs by their numbers in this file, of four hexadecimal digits, with where each stands. */
  readonly encode: (
    text: string,
    features?: unknown,
  ) => [glyphs: readonly string[], positions: Run['positions']];
}
export const chosenFont = (doc: PDFKit.PDFDocument): ChosenFont => (doc as unknown as WithFont)._font;

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
  const written = gatherObjects(doc as unknown as Parameters<typeof gatherObjects>[0]);
  doc.on('pageAdded', () => gatherOperators(doc.page));
  for (const name of ['strong', 'plain'] as const) {
    doc.registerFont(name, fonts[name]);
    doc.font(name);
    rememberRuns(chosenFont(doc), fonts[name]);
  }
  const { font } = chosenFont(doc);
  const hasGlyph = (codePoint: number) => font.hasGlyphForCodePoint(codePoint);
  return Object.assign(doc, { hasGlyph, written });
}

/** What PDFKit makes bytes of, and doesn't say. */
interface WrittenPage {
  write: (operator: string | Uint8Array) => unknown;
  end: () => unknown;
}

/** PDFKit makes bytes of each operator, a dozen a cell: here a page's are put together first. */
function gatherOperators(page: WrittenPage): void {
  const [write, end] = [page.write.bind(page), page.end.bind(page)];
  let operators: string[] = [];
  const flush = () => {
    if (operators.length > 0) write(operators.join('\n'));
    operators = [];
  };
  page.write = (operator) => {
    if (typeof operator === 'string') operators.push(operator);
    else {
      flush();
      write(operator);
    }
  };
  page.end = () => {
    flush();
    end();
  };
}

/** Its bytes, once all is drawn. */
export function endPdf(doc: Pdf, deflate: Deflate): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    // The first lines, which PDFKit writes before anybody can gather them.
    const head: Uint8Array[] = [];
    doc.on('data', (chunk: Uint8Array) => head.push(chunk));
    doc.on('error', reject);
    doc.on('end', () => {
      resolve(packObjects(joined(head), doc.written(), deflate));
    });
    doc.end();
  });
}
