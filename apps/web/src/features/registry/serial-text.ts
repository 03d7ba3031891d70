/** What the address on a label may call the serial number; in either case. */
const PARAMETERS = ['serial', 'serialnumber', 'serial_number', 'sn'];
/** GS1 General Specifications: how long what follows these application identifiers is; others go on to a separator. */
const GS1_LENGTHS: Readonly<Record<string, number>> = {
  '01': 14,
  '02': 14,
  '11': 6,
  '13': 6,
  '15': 6,
  '17': 6,
};
const GS1_SERIAL = '21';
const SEPARATOR = '\u001D';

/**
 * The serial number in what a bar code says, or somebody pasted: alone, in a web address, as a code for trade (GS1), or in
 * the code of a LoRaWAN device (LoRa Alliance TR005). Any other text is given whole, without what can't be seen. Nothing
 * is asked for anywhere.
 */
export function serialIn(code: string): string {
  // A reader may say of what kind the code was.
  const text = code.replace(/^\](?:C1|d2|Q3|e0)/, '');
  const found = ofAddress(text) ?? ofLorawan(text) ?? ofGs1(text) ?? text;
  return found
    .normalize('NFKC')
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .trim();
}

/** `…/barcode/{serial}`, `…?serial={serial}`, and GS1's own `…/01/{article}/21/{serial}`. */
function ofAddress(text: string): string | null {
  if (!/^\s*https?:\/\//i.test(text) || !URL.canParse(text)) return null;
  const { pathname, searchParams } = new URL(text);
  for (const [name, value] of searchParams)
    if (PARAMETERS.includes(name.toLowerCase()) && value.trim() !== '') return value;
  const [, inPath] = /\/(?:barcode|01\/\d{14}(?:\/.*)?\/21)\/([^/]+)/i.exec(pathname) ?? [];
  return inPath === undefined ? null : unescaped(inPath);
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `LW:D0:{JoinEUI}:{DevEUI}:{ProfileID}`, then marked parts: S is the serial number. */
function ofLorawan(text: string): string | null {
  const [, rest] = /^\s*LW:D0:[0-9a-f]{16}:[0-9a-f]{16}:[0-9a-f]{8}(:.*)$/i.exec(text) ?? [];
  return /:S([^:]+)/.exec(rest ?? '')?.[1] ?? null;
}

/** An article's number with its check digit, or brackets round the identifiers, tell it from a long serial number. */
function ofGs1(text: string): string | null {
  const [, bracketed] = /^\(\d{2,4}\).*?\(21\)([^(]+)|^\(21\)([^(]+)/.exec(text)?.filter(Boolean) ?? [];
  if (bracketed !== undefined) return bracketed;
  let left = afterSeparator(text);
  const [, article] = /^01(\d{14})/.exec(left) ?? [];
  if (article === undefined || !hasCheckDigit(article)) return null;
  while (left !== '') {
    const [identifier, rest] = [left.slice(0, 2), left.slice(2)];
    const end = GS1_LENGTHS[identifier] ?? rest.indexOf(SEPARATOR);
    const value = end === -1 ? rest : rest.slice(0, end);
    if (identifier === GS1_SERIAL) return value;
    left = afterSeparator(rest.slice(value.length));
  }
  return null;
}

const afterSeparator = (text: string) => (text.startsWith(SEPARATOR) ? text.slice(1) : text);

/** GS1: the fourteen digits of an article weigh 3 and 1 in turn and make full tens. */
function hasCheckDigit(digits: string): boolean {
  const weighed = Array.from(digits, (digit, at) => Number(digit) * (at % 2 === 0 ? 3 : 1));
  return weighed.reduce((sum, value) => sum + value, 0) % 10 === 0;
}
