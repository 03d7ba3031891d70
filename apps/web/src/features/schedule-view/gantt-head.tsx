import type { Drawing } from './gantt-rows.tsx';
import { leftOf, type Tick, ticksOf } from './axis.ts';
import type { Span } from './view-search.ts';
import { minuteText } from '../../ui/format.ts';
import classes from './timeline.module.css';

/** Shares of the width: the text of an hour or a day stands behind its moment, and that of now around it. */
const HOUR_SHARE = 0.065;
const DAY_SHARE = 0.095;
const HALF_NOW_SHARE = 0.025;
/** A band that is narrower has its words as a tip alone. */
const BAND_SHARE = 0.05;

function isUnder({ from, to }: Drawing['axis'], { at, isDay }: Tick, now: number): boolean {
  const share = (now - at) / (to - from);
  return share > -HALF_NOW_SHARE && share < (isDay ? DAY_SHARE : HOUR_SHARE);
}

/** The hours, and where now is. */
export function GanttHead({ drawing, span }: { drawing: Drawing; span: Span }) {
  const { axis, zone, now } = drawing;
  const bands = drawing.bands.filter(({ kind }) => kind !== 'night');
  const isNowIn = now >= axis.from && now < axis.to;
  return (
    <div className={classes.head} aria-hidden="true">
      <span className={classes.corner}>Line</span>
      <div className={classes.track}>
        {ticksOf(zone, axis, span).map((tick) => (
          <span
            key={tick.at}
            className={classes.tick}
            data-day={tick.isDay || undefined}
            style={{ left: leftOf(axis, tick.at) }}
          >
            {isNowIn && isUnder(axis, tick, now) ? '' : tick.text}
          </span>
        ))}
        {isNowIn && (
          <span className={classes.nowWord} style={{ left: leftOf(axis, now) }}>
            {minuteText(now, zone)}
          </span>
        )}
      </div>
      {bands.length > 0 && (
        <>
          <span className={classes.corner}>Water supply</span>
          <div className={classes.bandText}>
            {bands.map(({ from, to, kind, text }) => (
              <span
                key={`${kind} ${from}`}
                className={classes.bandWord}
                data-kind={kind}
                title={text}
                style={{
                  left: leftOf(axis, from),
                  width: `calc(${leftOf(axis, to)} - ${leftOf(axis, from)})`,
                }}
              >
                {(to - from) / (axis.to - axis.from) < BAND_SHARE ? '' : text}
              </span>
            ))}
          </div>
        </>
      )}
    </div>
  );
}
