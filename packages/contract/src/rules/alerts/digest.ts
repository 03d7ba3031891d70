export interface DigestLine {
  /** "Tank low: Trough 4". */
  readonly what: string;
  /** By the farm's clock. */
  readonly since: string;
  readonly until: string | null;
  /** Who is, or was, on it. */
  readonly by: string | null;
}

export interface Digest {
  readonly open: readonly DigestLine[];
  readonly ended: readonly DigestLine[];
  /** Told in the bell alone. */
  readonly heldBack: readonly { readonly why: string; readonly count: number }[];
}

const TITLE_MAX = 60;
const LISTED = 8;

export function digestTitle(farmName: string, open: number, ended: number): string {
  const what = [...(open > 0 ? [`${open} open`] : []), ...(ended > 0 ? [`${ended} over`] : [])].join(', ');
  const end = `: alerts, ${what || 'nothing open'}`;
  return `${Array.from(farmName)
    .slice(0, TITLE_MAX - end.length)
    .join('')
    .trimEnd()}${end}`;
}

/** What is so, what came and went in 24 hours, and what was held back; in lines. */
export function digestText({ open, ended, heldBack }: Digest): string {
  const by = ({ by: who }: DigestLine, verb: string) => (who === null ? '' : `, ${who} ${verb} on it`);
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0
      ? []
      : [
          [
            title,
            ...lines.slice(0, LISTED).map((line) => `- ${line}`),
            ...(lines.length > LISTED ? [`- and ${lines.length - LISTED} more`] : []),
          ].join('\n'),
        ];
  return [
    ...section(
      'Open now:',
      open.map((line) => `${line.what}, since ${line.since}${by(line, 'is') || ', nobody has answered'}`),
    ),
    ...section(
      'Over since yesterday:',
      ended.map((line) => `${line.what}, ${line.since} to ${line.until ?? ''}${by(line, 'was')}`),
    ),
    ...section(
      'Told in the bell alone:',
      heldBack.map(({ why, count }) => `${count} because of ${whyText[why] ?? why}`),
    ),
  ].join('\n\n');
}

const whyText: Readonly<Record<string, string>> = {
  'quiet hours': 'your quiet hours',
  'the limit of SMS a day': 'your limit of SMS a day',
  snoozed: 'a snooze or a pause',
};
