import { type HeldBackReason, heldBackTexts } from './held-back.ts';

export interface DigestLine {
  /** "Tank low: Trough 4". */
  readonly what: string;
  /** By the farm's clock. */
  readonly since: string;
  readonly until: string | null;
  /** Who is, or was, on it. */
  readonly by: string | null;
  /** Known only afterwards, by readings that came late: nobody was told. */
  readonly isLate?: boolean;
  /** It may be so still: nobody watches it any more. */
  readonly isUnwatched?: boolean;
}

/** The first lines, `DIGEST_LISTED` at most, and how many there are all in all. */
export interface DigestPart {
  readonly lines: readonly DigestLine[];
  readonly count: number;
}

export interface Digest {
  readonly open: DigestPart;
  readonly ended: DigestPart;
  /** Told in the bell alone. */
  readonly heldBack: readonly { readonly why: HeldBackReason; readonly count: number }[];
  /** Of the last watering, if it ended in 24 hours and an alert watches for missed ones; null: nothing is unknown. */
  readonly unheard: Unheard | null;
}

/** Sprinklers of which nobody knows whether they watered, of how many that were to. */
export interface Unheard {
  readonly count: number;
  readonly of: number;
  /** When the watering ended, by the farm's clock. */
  readonly until: string;
}

const TITLE_MAX = 60;
export const DIGEST_LISTED = 8;

export function digestTitle(farmName: string, open: number, ended: number): string {
  const what = [...(open > 0 ? [`${open} open`] : []), ...(ended > 0 ? [`${ended} over`] : [])].join(', ');
  const end = `: alerts, ${what || 'nothing open'}`;
  return `${Array.from(farmName)
    .slice(0, TITLE_MAX - end.length)
    .join('')
    .trimEnd()}${end}`;
}

/** What is so, what came and went in 24 hours, and what was held back; in lines. */
export function digestText({ open, ended, heldBack, unheard }: Digest): string {
  const by = ({ by: who }: DigestLine, verb: string) => (who === null ? '' : `, ${who} ${verb} on it`);
  const section = (title: string, lines: readonly string[], count = lines.length) =>
    lines.length === 0
      ? []
      : [
          [
            title,
            ...lines.map((line) => `- ${line}`),
            ...(count > lines.length ? [`- and ${count - lines.length} more`] : []),
          ].join('\n'),
        ];
  return [
    ...section(
      'Open now:',
      open.lines.map(
        (line) => `${line.what}, since ${line.since}${by(line, 'is') || ', nobody has answered'}`,
      ),
      open.count,
    ),
    ...section(
      'Over since yesterday:',
      ended.lines.map(
        (line) => `${line.what}, ${line.since} to ${line.until ?? ''}${howEnded(line) ?? by(line, 'was')}`,
      ),
      ended.count,
    ),
    ...section('Not known:', unheard === null ? [] : [unheardText(unheard)]),
    ...section(
      'Told in the bell alone:',
      heldBack.map(({ why, count }) => `${count} because of ${heldBackTexts[why]}`),
    ),
  ].join('\n\n');
}

const howEnded = ({ isLate, isUnwatched }: DigestLine) => {
  if (isUnwatched) return ', no longer watched since';
  return isLate ? ', seen late: nobody was told' : null;
};

const unheardText = ({ count, of, until }: Unheard) =>
  `whether ${count} of ${of} sprinklers watered, in the watering that ended at ${until}`;
