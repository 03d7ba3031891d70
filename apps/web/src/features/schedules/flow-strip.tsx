import { useState, type PointerEvent } from 'react';
import { clockText } from '@headrace/contract/rules/schedule/clock-text';
import { DAY_MINUTES, type DayWindow } from '@headrace/contract/rules/schedule/plan';
import type { FlowStep } from '@headrace/contract/rules/schedule/flow-profile';
import type { PlanDesign } from '@headrace/contract/rules/schedule/remedies';
import { numberText, usefulDigits } from '../../ui/format.ts';
import classes from './flow-strip.module.css';

export interface FlowStripProps {
  flow: readonly FlowStep[];
  /** min */
  cycleLen: number;
  limits: PlanDesign['limits'];
}

/** L/s with the decimals that say something. */
export const lpsText = (lps: number): string => `${numberText(lps, usefulDigits(lps, 1))} L/s`;

/** What a plan draws over its cycle, below what the pump gives; hours in which no water may run are shaded. */
export function FlowStrip({ flow, cycleLen, limits }: FlowStripProps) {
  const [at, setAt] = useState<number | null>(null);
  const maxLps = limits?.maxLps ?? null;
  const peak = flow.reduce((most, { lps }) => Math.max(most, lps), 0);
  const top = Math.max(peak, maxLps ?? 0) * 1.08 || 1;
  const point = (event: PointerEvent<SVGElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - left) / (width || 1);
    setAt(Math.min(cycleLen - 1, Math.max(0, Math.floor(share * cycleLen))));
  };
  return (
    <figure className={classes.strip}>
      <figcaption className={classes.text}>
        <b>Flow</b>{' '}
        <span className="num">{at === null ? peakText(peak, maxLps) : atText(flow, at, cycleLen)}</span>
      </figcaption>
      <svg
        className={classes.picture}
        viewBox={`0 0 ${cycleLen} 100`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Flow over the cycle: ${peakText(peak, maxLps)}`}
        onPointerMove={point}
        onPointerLeave={() => setAt(null)}
      >
        {closedHours(limits, cycleLen).map(([from, to]) => (
          <rect key={from} className={classes.closed} x={from} width={to - from} height={100} />
        ))}
        <path className={classes.water} d={outline(flow, cycleLen, top)} />
        {maxLps !== null && (
          <line
            className={classes.most}
            x2={cycleLen}
            y1={heightOf(maxLps, top)}
            y2={heightOf(maxLps, top)}
          />
        )}
        {at !== null && <line className={classes.at} x1={at} x2={at} y2={100} />}
      </svg>
      <div className={`${classes.hours} num`} aria-hidden="true">
        {hoursOf(cycleLen).map((minute) => (
          <span key={minute}>{hourText(minute, cycleLen)}</span>
        ))}
      </div>
    </figure>
  );
}

function peakText(peak: number, maxLps: number | null): string {
  const most = `up to ${lpsText(peak)}`;
  return maxLps === null ? most : `${most} of ${lpsText(maxLps)}`;
}

function atText(flow: readonly FlowStep[], at: number, cycleLen: number): string {
  const step = flow.findLast(({ fromMin }) => fromMin <= at);
  const day = cycleLen > DAY_MINUTES ? `cycle ${1 + Math.floor(at / DAY_MINUTES)}, ` : '';
  return `${day}${clockText(at)}: ${lpsText(step?.lps ?? 0)}`;
}

const heightOf = (lps: number, top: number) => 100 - (100 * lps) / top;

/** In steps: the flow stays until a valve opens or closes. */
function outline(flow: readonly FlowStep[], cycleLen: number, top: number): string {
  const steps = flow.map(
    ({ fromMin, lps }, index) => `L${fromMin} ${heightOf(lps, top)}H${flow[index + 1]?.fromMin ?? cycleLen}`,
  );
  return `M0 100${steps.join('')}V100Z`;
}

/** From and to in minutes of the cycle; several stand together where one goes over midnight. */
function closedHours(limits: PlanDesign['limits'], cycleLen: number): [number, number][] {
  if (!limits) return [];
  const days = Array.from({ length: Math.ceil(cycleLen / DAY_MINUTES) }, (_none, day) => day * DAY_MINUTES);
  const daily = [...limits.avoid.flatMap(partsOf), ...between(limits.windows.flatMap(partsOf))];
  return days.flatMap((from) => daily.map(([a, b]): [number, number] => [from + a, from + b]));
}

const partsOf = ({ fromMin, toMin }: DayWindow): [number, number][] =>
  fromMin < toMin
    ? [[fromMin, toMin]]
    : [
        [0, toMin],
        [fromMin, DAY_MINUTES],
      ];

/** What is left of a day outside of all windows; without any, nothing. */
function between(windows: readonly [number, number][]): [number, number][] {
  if (windows.length === 0) return [];
  const closed: [number, number][] = [];
  let open = 0;
  for (const [from, to] of windows.toSorted(([one], [other]) => one - other)) {
    if (from > open) closed.push([open, from]);
    open = Math.max(open, to);
  }
  return open < DAY_MINUTES ? [...closed, [open, DAY_MINUTES]] : closed;
}

/** The end of a day is its 24:00, not the next one's midnight. */
const hourText = (minute: number, cycleLen: number) =>
  minute === cycleLen && minute % DAY_MINUTES === 0 ? '24:00' : clockText(minute);

/** Five times of a day or a round, and one for each half of two days. */
const hoursOf = (cycleLen: number) => Array.from({ length: 5 }, (_none, n) => Math.round((n * cycleLen) / 4));
