/** GSM 03.38: what takes one of a part's 7-bit places, and what takes two. */
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const EXTENDED = '\f^{}\\[~]|€';

const places = new Map([
  ...Array.from(BASIC, (sign) => [sign, 1] as const),
  ...Array.from(EXTENDED, (sign) => [sign, 2] as const),
]);

/** Places of a message of one part, and of each of several, which say how they belong together. */
const SEVEN_BIT = { alone: 160, joined: 153 } as const;
const UNICODE = { alone: 70, joined: 67 } as const;

/**
 * How many SMS a text is, as providers count and charge them. One sign outside GSM-7 turns the whole text into Unicode; no sign is
 * divided between two parts.
 */
export function smsParts(text: string): number {
  const signs = Array.from(text);
  const isSevenBit = signs.every((sign) => places.has(sign));
  const sizes = signs.map((sign) => (isSevenBit ? (places.get(sign) ?? 1) : sign.length));
  const { alone, joined } = isSevenBit ? SEVEN_BIT : UNICODE;
  if (sizes.reduce((sum, size) => sum + size, 0) <= alone) return 1;
  let parts = 1;
  let used = 0;
  for (const size of sizes) {
    if (used + size > joined) {
      parts += 1;
      used = 0;
    }
    used += size;
  }
  return parts;
}

const PLAIN: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
  '−': '-',
  '·': '-',
  '…': '...',
  '\u00a0': ' ',
  '\u2009': ' ',
  '\u202f': ' ',
};

/** What GSM-7 lacks, as the plain sign it comes from: ā as a. What has none stays. */
const folded = (text: string): string =>
  Array.from(text, (sign) =>
    places.has(sign) ? sign : (PLAIN[sign] ?? sign.normalize('NFD').replace(/\p{M}/gu, '')),
  ).join('');

/**
 * A text for an SMS of at most so many parts: with macrons folded where that saves a part, and cut where it is still too long. `tail`
 * stands behind it whole, as a link.
 */
export function smsText(text: string, mostParts: number, tail = ''): string {
  const plain = folded(text);
  const chosen = smsParts(`${plain}${tail}`) < smsParts(`${text}${tail}`) ? plain : text;
  if (smsParts(`${chosen}${tail}`) <= mostParts) return `${chosen}${tail}`;
  let kept = '';
  for (const sign of chosen) {
    if (smsParts(`${kept}${sign}...${tail}`) > mostParts) break;
    kept += sign;
  }
  return `${kept.trimEnd()}...${tail}`;
}
