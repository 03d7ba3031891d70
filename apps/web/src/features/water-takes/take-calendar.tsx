import { useState } from 'react';
import { knownM3 } from '@headrace/contract/rules/water-take/sums';
import type { TakeDay } from '@headrace/contract/water-takes';
import { PlainButton } from '../../ui/plain-button.tsx';
import { dayText } from '../../ui/format.ts';
import { CellsLegend, cellsText, DayCells } from './day-cells.tsx';
import { m3Text } from './take-labels.ts';
import classes from './takes.module.css';

/** Days that are in sight before more are asked for. */
const FIRST_DAYS = 31;

/** How complete each day is, the newest first; a day opens its quarters. */
export function TakeCalendar({ days, onOpen }: { days: readonly TakeDay[]; onOpen: (day: string) => void }) {
  const [isAll, setIsAll] = useState(false);
  const newest = days.toReversed();
  const shown = isAll ? newest : newest.slice(0, FIRST_DAYS);
  return (
    <>
      <CellsLegend />
      {days.some(({ hasOldSettings }) => hasOldSettings) && (
        <p className={classes.note}>
          Days with old settings were reckoned with other settings of a meter than those of now, or by an
          older version. Their readings are no longer kept: they stay as they were reckoned then.
        </p>
      )}
      <ul className={classes.days} aria-label="Days">
        {shown.map((day) => (
          <li key={day.day}>
            <button type="button" className={classes.day} onClick={() => onOpen(day.day)}>
              <span className="num">{dayText(day.day)}</span>
              <DayCells day={day} />
              <span className={`${classes.volume} num`}>
                {knownM3(day) === null ? 'not known' : <Known day={day} />}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {shown.length < newest.length && (
        <PlainButton onClick={() => setIsAll(true)}>{`Show all ${newest.length} days`}</PlainButton>
      )}
    </>
  );
}

const Known = ({ day }: { day: TakeDay }) => (
  <>
    {day.isWhole ? '' : 'at least '}
    {m3Text(day.m3)}
    {day.missing > 0 && <small className={classes.dim}>{` ${cellsText(day)}`}</small>}
    {day.hasOldSettings && <small className={classes.dim}> old settings</small>}
  </>
);
