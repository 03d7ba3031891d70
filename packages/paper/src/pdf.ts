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

/** What PDFKit knows of the font that is chosen, and doesn't say. */
interface WithFont {
  readonly _font: ChosenFont;
}
interface ChosenFont {
  readonly font: { readonly hasGlyphForCodePoint: (codePoint: number) => boolean };
  layout: (text: string, features?: unknown, onlyWidth?: boolean) => Run;
}
interface Run {
  readonly glyphs: readonly unknown[];
  readonly positions: readonly unknown[];
  readonly advanceWidth: number;
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
  for (const name of ['strong', 'plain'] as const) {
    doc.registerFont(name, fonts[name]);
    doc.font(name);
    rememberTexts(chosenFont(doc));
  }
  const { font } = chosenFont(doc);
  return Object.assign(doc, { hasGlyph: (codePoint: number) => font.hasGlyphForCodePoint(codePoint) });
}

const chosenFont = (doc: PDFKit.PDFDocument): ChosenFont => (doc as unknown as WithFont)._font;

/** Texts that a font remembers: a table of a thousand rows has the same numbers and names again and again. */
const REMEMBERED = 4000;

/**
 * PDFKit remembers how it set a word, unless it is told how, as of figures (`EVEN` in pen.ts), and never a text of several words; and it
 * sets each text three times. Figures are of one width and without kerning, so each sign is set once.
 */
function rememberTexts(chosen: ChosenFont): void {
  const layout = chosen.layout.bind(chosen);
  const signs = new Map<string, Run>();
  const plain = new Map<string, Run>();
  const even = new Map<string, Run>();
  const ofSign = (sign: string, features: unknown) => remembered(signs, sign, () => layout(sign, features));
  const ofFigures = (text: string, features: unknown): Run => {
    const runs = Array.from(text, (sign) => ofSign(sign, features));
    return {
      glyphs: runs.flatMap(({ glyphs }) => glyphs),
      positions: runs.flatMap(({ positions }) => positions),
      advanceWidth: runs.reduce((sum, { advanceWidth }) => sum + advanceWidth, 0),
    };
  };
  chosen.layout = (text, features) =>
    features
      ? remembered(even, text, () => ofFigures(text, features))
      : remembered(plain, text, () => layout(text));
}

function remembered(runs: Map<string, Run>, text: string, set: () => Run): Run {
  const known = runs.get(text);
  if (known) return known;
  if (runs.size >= REMEMBERED) runs.clear();
  const run = set();
  runs.set(text, run);
  return run;
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
