import { inks } from './inks.ts';
import { markParts } from './marks.ts';
import type { Ink, Mark, PathShape } from './paper.ts';
import type { Pdf } from './pdf.ts';
import { plainText } from './plain-text.ts';
import { createSetText } from './set-text.ts';

export interface TextStyle {
  readonly size: number;
  readonly ink?: Ink;
  readonly isStrong?: boolean;
}

/** Points. A column is as wide as its widest text and mark; less the mark that can be a hair less than the text. */
const ROUNDING = 0.01;

/** Draws on the page that is open. Text is measured once. */
export function createPen(doc: Pdf) {
  const widths = new Map<string, number>();
  const setText = createSetText(doc);
  const plain = (text: string) => plainText(text, (codePoint) => doc.hasGlyph(codePoint));
  const choose = ({ size, isStrong = false }: TextStyle) =>
    doc.font(isStrong ? 'strong' : 'plain').fontSize(size);

  function width(text: string, style: TextStyle): number {
    const key = `${style.isStrong ? 's' : 'p'}${style.size} ${text}`;
    const known = widths.get(key);
    if (known !== undefined) return known;
    const measured =
      FIGURES.test(text) && text.length > 1
        ? figuresWidth(text, style)
        : choose(style).widthOfString(plain(text), layoutOf(text));
    widths.set(key, measured);
    return measured;
  }

  /** Nothing is set closer between them. */
  const figuresWidth = (text: string, style: TextStyle) =>
    Array.from(text).reduce((sum, sign) => sum + width(sign, style), 0);

  /** The longest beginning that has room, with … */
  function cut(text: string, room: number, style: TextStyle): string {
    if (width(text, style) <= room + ROUNDING) return text;
    const letters = Array.from(text);
    let [fits, tooLong] = [0, letters.length];
    while (tooLong - fits > 1) {
      const middle = Math.floor((fits + tooLong) / 2);
      if (width(`${letters.slice(0, middle).join('')}…`, style) <= room) fits = middle;
      else tooLong = middle;
    }
    return `${letters.slice(0, fits).join('').trimEnd()}…`;
  }

  return {
    width,
    cut,

    /** Lines of at most `room`, broken between words; a word that is longer is cut. */
    lines(text: string, room: number, style: TextStyle): string[] {
      if (width(text, style) <= room + ROUNDING) return [text];
      const lines: string[] = [];
      let line = '';
      for (const word of text.split(' ')) {
        const longer = line === '' ? word : `${line} ${word}`;
        if (width(longer, style) <= room) line = longer;
        else {
          if (line !== '') lines.push(line);
          line = cut(word, room, style);
        }
      }
      return [...lines, line];
    },

    /** `y` is the text's top. */
    text(text: string, x: number, y: number, style: TextStyle): void {
      choose(style);
      const { features } = layoutOf(text);
      const drawn = plain(text);
      const { size, ink = 'text' } = style;
      if (setText(drawn, features, { x, y, size, ink })) return;
      doc.fillColor(inks[ink]).text(drawn, x, y, { lineBreak: false, ...layoutOf(text) });
    },

    path({ d, fill, stroke, width: stroked = 0.75, dash }: Omit<PathShape, 'kind'>): void {
      doc.path(d).lineWidth(stroked);
      if (dash) doc.dash(dash[0], { space: dash[1] });
      if (fill && stroke) doc.fillAndStroke(inks[fill], inks[stroke]);
      else if (fill) doc.fill(inks[fill]);
      else doc.stroke(inks[stroke ?? 'text']);
      if (dash) doc.undash();
    },

    /** Its middle at (x, y). */
    mark(mark: Mark, x: number, y: number, size: number): void {
      doc
        .save()
        .translate(x - size / 2, y - size / 2)
        .scale(size / 10);
      for (const { d, fill, stroke } of markParts[mark]) {
        const path = doc.path(d).lineWidth(1.4);
        if (fill) path.fill(inks[fill]);
        else path.stroke(inks[stroke ?? 'text']);
      }
      doc.restore();
    },
  };
}
/** A line as it is drawn: the space at which it was broken stays, or who copies it, or hears it, gets two words in one. */
export const ended = (line: string, nth: number, lines: readonly string[]): string =>
  nth < lines.length - 1 ? `${line} ` : line;

export type Pen = ReturnType<typeof createPen>;

/** Figures, with what stands between them. */
const FIGURES = /^[\d\s.,:/%+–−-]+$/;
/** Of one width, so that they stand below each other, and without kerning, whose search takes most of the time of a long table. */
const EVEN = { features: { tnum: true, kern: false } as unknown as PDFKit.Mixins.OpenTypeFeatures[] };
/** PDFKit remembers how it set words, unless it is told how. */
const layoutOf = (text: string): Partial<typeof EVEN> => (FIGURES.test(text) ? EVEN : {});
