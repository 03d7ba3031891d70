/** A text as a font sets it. */
export interface Run {
  readonly glyphs: readonly Glyph[];
  readonly positions: readonly Position[];
  readonly advanceWidth: number;
}
/** What of a glyph a file needs. */
interface Glyph {
  readonly id: number;
  readonly advanceWidth: number;
  readonly codePoints: readonly number[];
}
interface Position {
  readonly xAdvance: number;
  readonly advanceWidth: number;
  readonly xOffset: number;
  readonly yOffset: number;
}

/** What sets texts; the same font's glyphs have the same numbers in each document. */
interface Setting {
  layout: (text: string, features?: unknown) => Run;
}

/** Texts that a font remembers: a table of a thousand rows has the same numbers and names again and again. */
const REMEMBERED = 4000;

interface Runs {
  readonly plain: Map<string, Run>;
  readonly even: Map<string, Run>;
  readonly signs: Map<string, Run>;
}
/** By the font's own bytes: who makes one report after the other has set most words of the next. */
const runsOfFonts = new WeakMap<Uint8Array, Runs>();

/**
 * PDFKit remembers how it set a word in this document, unless it is told how, as of figures (`EVEN` in pen.ts), and never a text of
 * several words. Figures are of one width and without kerning, so each sign is set once.
 */
export function rememberRuns(chosen: Setting, font: Uint8Array): void {
  const layout = chosen.layout.bind(chosen);
  const { plain, even, signs } = runsOf(font);
  const ofSign = (sign: string, features: unknown) =>
    remembered(signs, sign, () => onlyNeeded(layout(sign, features)));
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
      : remembered(plain, text, () => onlyNeeded(layout(text)));
}

function runsOf(font: Uint8Array): Runs {
  const known = runsOfFonts.get(font);
  if (known) return known;
  const runs: Runs = { plain: new Map(), even: new Map(), signs: new Map() };
  runsOfFonts.set(font, runs);
  return runs;
}

function remembered(runs: Map<string, Run>, text: string, set: () => Run): Run {
  const known = runs.get(text);
  if (known) return known;
  if (runs.size >= REMEMBERED) runs.clear();
  const run = set();
  runs.set(text, run);
  return run;
}

/** A glyph as the font's reader has it holds that reader, with all that it has read. */
const onlyNeeded = ({ glyphs, positions, advanceWidth }: Run): Run => ({
  glyphs: glyphs.map(({ id, advanceWidth: width, codePoints }) => ({ id, advanceWidth: width, codePoints })),
  positions,
  advanceWidth,
});
