import type { Timeline } from '@headrace/contract/timeline';
import { numberText } from '../../ui/format.ts';
import { type Axis, leftOf, place } from './axis.ts';
import type { Band } from './bands.ts';
import classes from './timeline.module.css';

/** Height of the drawing, its own unit. */
const HIGH = 100;

export interface FlowStripProps {
  /** "Flow" of the farm, or the name of a main. */
  name: string;
  /** What gives it. */
  source: 'pump' | 'main';
  flow: Pick<Timeline['flow'], 'planned' | 'maxLps' | 'stepMin' | 'meters' | 'notIn'>;
  axis: Axis;
  bands: readonly Band[];
  now: number;
}

/** For how long more is planned than it gives, hours. */
export function hoursOver(
  { planned, maxLps }: Pick<Timeline['flow'], 'planned' | 'maxLps'>,
  stepMin: number,
): number {
  if (maxLps === null) return 0;
  return (planned.filter((lps) => lps > maxLps + 0.005).length * stepMin) / 60;
}

/** Litres a second that are planned, against what the pump or a main gives and when it may run, and what meters measured. */
export function FlowStrip({ name: title, source, flow, axis, bands, now }: FlowStripProps) {
  const { planned, maxLps, meters, notIn } = flow;
  const measured = meters.flatMap(({ lps }) => lps.filter((value) => value !== null));
  const peak = Math.max(...planned, 0);
  const top = Math.max(peak, maxLps ?? 0, ...measured, 1) * 1.1;
  const y = (lps: number) => HIGH - (HIGH * lps) / top;
  const over = hoursOver(flow, flow.stepMin);
  return (
    <section className={classes.flow} aria-label={source === 'pump' ? title : `Flow of ${title}`}>
      <div className={classes.flowText}>
        <strong>{title}</strong>
        <span className="num">planned up to {numberText(peak, 1)} L/s</span>
        {maxLps !== null && (
          <span className="num">
            {source} {numberText(maxLps, 1)} L/s
          </span>
        )}
        {over > 0 && (
          <span className={classes.over}>
            ! over the {source} for {numberText(over, 1)} h
          </span>
        )}
        {notIn > 0 && (
          <span>
            {notIn} {notIn === 1 ? 'sprinkler whose schedule isn’t' : 'sprinklers whose schedules aren’t'}{' '}
            known, not in it
          </span>
        )}
        {meters.map(({ uid, name }, meter) => (
          <span key={uid} className={classes.meter} data-meter={meter % 3}>
            {name} measured
          </span>
        ))}
      </div>
      <div className={classes.chart}>
        {bands.map(({ from, to, kind, text }) => (
          <i
            key={`${kind} ${from}`}
            className={classes.band}
            data-kind={kind}
            style={place(axis, from, to)}
            title={text}
          />
        ))}
        <svg viewBox={`0 0 ${planned.length} ${HIGH}`} preserveAspectRatio="none" aria-hidden="true">
          <path className={classes.planned} d={stepsPath(planned, y)} />
          {maxLps !== null && (
            <line className={classes.pump} x1={0} x2={planned.length} y1={y(maxLps)} y2={y(maxLps)} />
          )}
          {meters.map(({ uid, lps }, meter) => (
            <path key={uid} className={classes.measured} data-meter={meter % 3} d={linePath(lps, y)} />
          ))}
        </svg>
        {now >= axis.from && now < axis.to && (
          <i className={classes.now} style={{ left: leftOf(axis, now) }} />
        )}
        <span className={`${classes.scale} num`}>{numberText(top / 1.1, 0)} L/s</span>
      </div>
    </section>
  );
}

/** An area of steps down to the bottom. */
function stepsPath(values: readonly number[], y: (value: number) => number): string {
  const steps = values.map((value, at) => `V${y(value).toFixed(2)}H${at + 1}`);
  return `M0 ${HIGH}${steps.join('')}V${HIGH}Z`;
}

/** Broken where nothing is known. */
function linePath(values: readonly (number | null)[], y: (value: number) => number): string {
  return values
    .map((value, at) => {
      if (value === null) return '';
      const isFirst = at === 0 || values[at - 1] === null;
      return `${isFirst ? 'M' : 'L'}${at} ${y(value).toFixed(2)}H${at + 1}`;
    })
    .join('');
}
