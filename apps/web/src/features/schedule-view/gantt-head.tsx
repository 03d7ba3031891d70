import type { Drawing } from './gantt-rows.tsx';
import { leftOf, ticksOf } from './axis.ts';
import type { Span } from './view-search.ts';
import { minuteText } from '../../ui/format.ts';
import classes from './timeline.module.css';

/** Share of the width that an hour's text takes. */
const TEXT_SHARE = 0.05;
const isUnder = ({ from, to }: Drawing['axis'], at: number, now: number) =>
  Math.abs(at - now) < TEXT_SHARE * (to - from);

/** The hours, and where now is. */
export function GanttHead({ drawing, span }: { drawing: Drawing; span: Span }) {
  const { axis, zone, now } = drawing;
  const bands = drawing.bands.filter(({ kind }) => kind !== 'night');
  const isNowIn = now >= axis.from && now < axis.to;
  return (
    <div className={classes.head} aria-hidden="true">
      <span className={classes.corner}>Line</span>
      <div className={classes.track}>
        {ticksOf(zone, axis, span).map(({ at, text, isDay }) => (
          <span
            key={at}
            className={classes.tick}
            data-day={isDay || undefined}
            style={{ left: leftOf(axis, at) }}
          >
            {isNowIn && isUnder(axis, at, now) ? '' : text}
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
          <div className={classes.bandWords}>
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
                {text}
              </span>
            ))}
          </div>
        </>
      )}
    </div>
  );
}
