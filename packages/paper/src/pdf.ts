import PDFDocument from 'pdfkit';
import type { Fonts } from './fonts.ts';
import { ascii, joined, packObjects } from './pack-objects.ts';
import type { Paper } from './paper.ts';

export const PAGE = { width: 595.28, height: 841.89, side: 42, top: 62, bottom: 56 } as const;

/** PDFKit's document as the builder uses it. */
export type Pdf = PDFKit.PDFDocument & {
  hasGlyph: (codePoint: number) => boolean;
  /** All but what stood there at first. */
  written: () => readonly Uint8Array[];
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
  const written = gatherLines(doc as unknown as WrittenFile);
  doc.on('pageAdded', () => gatherOperators(doc.page));
  for (const name of ['strong', 'plain'] as const) {
    doc.registerFont(name, fonts[name]);
    doc.font(name);
    rememberTexts(chosenFont(doc));
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

/** How PDFKit writes a file, and doesn't say. `_offset`: how long it is so far, bytes. */
interface WrittenFile {
  _write: (line: string | Uint8Array) => void;
  _offset: number;
}
const PIECE = 65_536;

/** PDFKit makes bytes of each line of an object, and streams them: here they are put together first. Gives what is written from now on. */
function gatherLines(file: WrittenFile): () => readonly Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let text = '';
  const flush = () => {
    if (text !== '') chunks.push(ascii(text));
    text = '';
  };
  file._write = (line) => {
    if (typeof line === 'string') {
      text += `${line}\n`;
      file._offset += line.length + 1;
      if (text.length > PIECE) flush();
    } else {
      flush();
      chunks.push(line);
      file._offset += line.length;
    }
  };
  return () => {
    flush();
    return chunks;
  };
}

/** Its bytes, once all is drawn. */
export function endPdf(doc: Pdf): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    // The first line, which PDFKit writes before anybody can gather it.
    const head: Uint8Array[] = [];
    doc.on('data', (chunk: Uint8Array) => head.push(chunk));
    doc.on('error', reject);
    doc.on('end', () => {
      resolve(packObjects(joined([...head, ...doc.written()])));
    });
    doc.end();
  });
}
