import { inks } from './inks.ts';
import type { Ink } from './paper.ts';
import { chosenFont, type Pdf } from './pdf.ts';

/** Where a text stands, from the page's top left; `y`: its top. */
interface Spot {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly ink: Ink;
}

/**
 * Writes a text's operators itself, in the font that is chosen. PDFKit makes a dozen texts of each, and sets it twice more, for what is
 * never asked here: a table of a thousand rows has ten thousand. `features` go with the text: the same one always has the same.
 */
export function createSetText(doc: Pdf) {
  const glyphs = new Map<string, string | null>();
  const colours = new Map<Ink, string>();

  function glyphsOf(text: string, features: unknown): string | null {
    const font = chosenFont(doc);
    const key = `${font.id} ${text}`;
    const known = glyphs.get(key);
    if (known !== undefined) return known;
    const made = operandOf(font.encode(text, features));
    glyphs.set(key, made);
    return made;
  }
  function colourOf(ink: Ink): string {
    const known = colours.get(ink) ?? colour(inks[ink]);
    colours.set(ink, known);
    return known;
  }

  /** False: one whose signs stand above each other, which PDFKit sets. */
  return (text: string, features: unknown, { x, y, size, ink }: Spot): boolean => {
    const shown = glyphsOf(text, features);
    if (shown === null) return false;
    const font = chosenFont(doc);
    const { fonts } = doc.page as unknown as { fonts: Record<string, unknown> };
    fonts[font.id] ??= font.ref();
    // Pages are upside down, so that y grows downwards: a text is turned back.
    const at = `1 0 0 -1 ${rounded(x)} ${rounded(y + (font.ascender / 1000) * size)} Tm`;
    doc.addContent(`${colourOf(ink)} rg\nBT\n/${font.id} ${size} Tf\n${at}\n${shown} TJ\nET`);
    return true;
  };
}

const rounded = (points: number) => Math.round(points * 1000) / 1000;

/** Parts of one for red, green and blue. */
const colour = (hex: string): string =>
  [1, 3, 5].map((at) => rounded(Number.parseInt(hex.slice(at, at + 2), 16) / 255)).join(' ');

type Encoded = ReturnType<ReturnType<typeof chosenFont>['encode']>;

/** Glyphs by their numbers, with how much closer or wider than it is each stands to the next; null: some are not on the line. */
function operandOf([numbers, positions]: Encoded): string | null {
  let [made, open] = ['', ''];
  for (const [n, { xAdvance, advanceWidth, xOffset, yOffset }] of positions.entries()) {
    if (xOffset !== 0 || yOffset !== 0) return null;
    open += numbers[n] ?? '';
    const wider = xAdvance - advanceWidth;
    if (wider === 0) continue;
    made += `<${open}>${rounded(-wider)}`;
    open = '';
  }
  return open === '' ? `[${made}]` : `[${made}<${open}>]`;
}
