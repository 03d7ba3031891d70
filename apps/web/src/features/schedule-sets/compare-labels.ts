import type { ComparedKind } from '@headrace/contract/rules/schedule/plan-diff';
import type { ComparedUnit } from '@headrace/contract/schedule-sets';
import { entryLabel } from '../sprinkler-dialog/schedule-labels.ts';

export const kindLabels: Readonly<Record<ComparedKind, string>> = {
  same: 'same',
  new: 'new',
  moved: 'moved',
  longer: 'longer',
  shorter: 'shorter',
  cleared: 'cleared',
  unknown: 'not known',
};

/** What each means, below the counts. */
export const kindTexts: Readonly<Record<ComparedKind, string>> = {
  same: 'Waters at the same times.',
  new: 'Waters, and did not before.',
  moved: 'Waters as long, at other times.',
  longer: 'Waters longer a day.',
  shorter: 'Waters less long a day.',
  cleared: 'Waters no more.',
  unknown:
    'It is not known what it holds: it was not heard, or holds a schedule that was not sent from here.',
};

type Programme = ComparedUnit['from'];
const SHOWN = 2;

/** "00:56, 28 min → 00:28, 28 min" */
export const changeText = ({ kind, from, to }: ComparedUnit): string =>
  `${kind === 'unknown' ? 'not known' : programmeText(from)} → ${programmeText(to)}`;

function programmeText(programme: Programme): string {
  if (!programme || programme.entries.length === 0) return 'nothing';
  const { entries, cycleDays } = programme;
  const named = entries.slice(0, SHOWN).map((entry) => entryLabel(entry, cycleDays));
  const more = entries.length - named.length;
  return `${named.join(' · ')}${more > 0 ? ` and ${more} more` : ''}`;
}
