import { useState } from 'react';
import type { Timezone } from '@headrace/contract/farms';
import { gapCauseText, isOfPlaces } from '@headrace/contract/rules/water-take/gap-cause-text';
import type { TakeGap, WaterTake } from '@headrace/contract/water-takes';
import { exactTime, numberText, spanText } from '../../ui/format.ts';
import { PlainButton } from '../../ui/plain-button.tsx';
import { GapDialog } from './gap-dialog.tsx';
import { m3Text } from './take-labels.ts';
import classes from './takes.module.css';

interface GapListProps {
  farmUID: string;
  meters: WaterTake['meters'];
  uid: string;
  gaps: readonly TakeGap[];
  /** How many there are; the newest are listed. */
  count: number;
  zone: Timezone;
  canEdit: boolean;
}

const FIRST = 20;

function gapText({ cause, m3, isCut }: TakeGap, meters: WaterTake['meters']): string {
  const why = gapCauseText(cause, meters);
  if (m3 === 0) return `${why}. Nothing went through, by the counter.`;
  if (m3 !== null) return `${why}. ${m3Text(m3)} in all, by the counter.`;
  if (isCut) return `${why}. It goes on outside these days: what went through in them is not known.`;
  return `${why}. What went through ${isOfPlaces(meters) ? 'all meters ' : ''}is not known.`;
}

/** Times of which no quarter is known, why, and how much went through in all. */
export function GapList({ farmUID, meters, uid, gaps, count, zone, canEdit }: GapListProps) {
  const [isAll, setIsAll] = useState(false);
  const [noted, setNoted] = useState<TakeGap | null>(null);
  if (count === 0) return <p>Nothing is missing.</p>;
  const shown = isAll ? gaps : gaps.slice(0, FIRST);
  return (
    <>
      <ul className={classes.lines}>
        {shown.map((gap) => (
          <li key={gap.from}>
            <b className="num">{spanText(gap, zone)}</b>
            <span>
              {gap.rows === 1 ? '1 quarter' : `${numberText(gap.rows)} quarters`}, {gapText(gap, meters)}
            </span>
            {gap.note && <span>{gap.note}</span>}
            {canEdit && (
              <PlainButton
                onClick={() => setNoted(gap)}
                label={`Note why, ${exactTime(Date.parse(gap.from), zone)}`}
              >
                {gap.note ? 'Change the note' : 'Note why'}
              </PlainButton>
            )}
          </li>
        ))}
      </ul>
      {shown.length < gaps.length && (
        <PlainButton onClick={() => setIsAll(true)}>{`Show ${gaps.length} gaps`}</PlainButton>
      )}
      {isAll && count > gaps.length && (
        <p className={classes.note}>{count - gaps.length} older ones are not listed: ask for fewer days.</p>
      )}
      {noted && <GapDialog {...{ farmUID, uid, gap: noted, zone }} onClose={() => setNoted(null)} />}
    </>
  );
}
