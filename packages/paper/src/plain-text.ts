/** What stands for a letter that the font doesn't have; the CSV has it as it is. */
const UNKNOWN = '\u25A1';
const ASCII = /^[\x20-\x7E]*$/;
/** Control characters, marks that turn the direction of text, joiners, and signs that only change the look of the one before. */
const UNSEEN = /[\p{Cc}\p{Cf}\u{FE00}-\u{FE0F}]+/gu;

/** Text as it can be drawn: accents joined with their letters, nothing that is not seen, and a box for what the font lacks. */
export function plainText(text: string, isDrawable: (codePoint: number) => boolean): string {
  if (ASCII.test(text)) return text;
  const joined = text
    .normalize('NFC')
    .replace(/[\t\r\n]+/g, ' ')
    .replace(UNSEEN, '');
  return Array.from(joined, (sign) => (isDrawable(sign.codePointAt(0) ?? 0) ? sign : UNKNOWN)).join('');
}
