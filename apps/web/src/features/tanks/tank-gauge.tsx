import { useId, type CSSProperties } from 'react';
import { fillPercent, levelColour } from '@headrace/contract/rules/tank';
import { numberText } from '../../ui/format.ts';
import classes from './tank-gauge.module.css';

export interface TankGaugeProps {
  /** %; null: not known, the tank is drawn empty. */
  percent: number | null;
  /** Out of contact: what is drawn is old. */
  isStale: boolean;
  /** The level is changing now: the water moves. */
  isMoving: boolean;
  lowSetpoint?: number | null | undefined;
  highSetpoint?: number | null | undefined;
  /** % that the sensor doesn't see; drawn hatched. */
  deadBand?: number | undefined;
  /** With a scale of percents beside it. */
  hasScale?: boolean;
}

/** The water's way inside the drawing, from brim to floor. */
const TOP = 18;
const FLOOR = 122;
const yOf = (percent: number) => FLOOR - ((FLOOR - TOP) * percent) / 100;

/** A tank with its water. Words stand beside it: it is a picture only. */
export function TankGauge(props: TankGaugeProps) {
  const { percent, isStale, isMoving, lowSetpoint, highSetpoint, deadBand = 0, hasScale = false } = props;
  const id = useId();
  const isKnown = percent !== null;
  return (
    <svg
      className={classes.gauge}
      viewBox={hasScale ? '-2 0 132 130' : '-2 0 104 130'}
      data-level={levelColour(percent)}
      data-stale={isStale || undefined}
      data-moving={(isMoving && !isStale) || undefined}
      aria-hidden="true"
    >
      <defs>
        <clipPath id={`${id}inside`}>
          <path d="M6 24Q44 8 82 24V112a10 10 0 0 1-10 10H16a10 10 0 0 1-10-10Z" />
        </clipPath>
        <linearGradient id={`${id}water`} x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" className={classes.waterTop} />
          <stop offset="1" className={classes.waterDeep} />
        </linearGradient>
        <pattern
          id={`${id}hatch`}
          width="7"
          height="7"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <path d="M0 0V7" className={classes.hatch} />
        </pattern>
      </defs>
      <path className={classes.body} d="M4 23Q44 4 84 23V112a12 12 0 0 1-12 12H16a12 12 0 0 1-12-12Z" />
      <g clipPath={`url(#${id}inside)`}>
        <rect className={classes.inside} x="6" y="8" width="76" height="116" />
        {isKnown ? (
          <g className={classes.level} style={{ '--y': `${yOf(fillPercent(percent))}px` } as CSSProperties}>
            <path className={classes.waveBack} d={WAVE} />
            <path className={classes.wave} d={WAVE} fill={`url(#${id}water)`} />
          </g>
        ) : (
          <rect x="6" y="8" width="76" height="116" fill={`url(#${id}hatch)`} />
        )}
        {deadBand > 0 && (
          <g>
            <rect
              x="6"
              y={yOf(deadBand)}
              width="76"
              height={FLOOR - yOf(deadBand)}
              fill={`url(#${id}hatch)`}
            />
            <path className={classes.deadLine} d={`M6 ${yOf(deadBand)}H82`} />
          </g>
        )}
        <path className={classes.ribs} d="M6 47.5H82M6 72H82M6 96.5H82" />
        <path className={classes.gloss} d="M14 20V116" />
      </g>
      <path className={classes.rim} d="M4 23Q44 4 84 23V112a12 12 0 0 1-12 12H16a12 12 0 0 1-12-12Z" />
      <path className={classes.hatchCover} d="M36 10.5q8-4 16 0v3.4q-8-3-16 0Z" />
      {hasScale && <Scale />}
      {typeof lowSetpoint === 'number' && <Setpoint percent={lowSetpoint} turns="on" hasLabel={hasScale} />}
      {typeof highSetpoint === 'number' && (
        <Setpoint percent={highSetpoint} turns="off" hasLabel={hasScale} />
      )}
    </svg>
  );
}

/** Two waves long, so that it can run on without a seam; deep enough to fill the tank at any level. */
const WAVE = 'M-70 0q19-5 38 0t38 0t38 0t38 0t38 0t38 0V130H-70Z';

function Scale() {
  return (
    <g className={classes.scale} fontSize="8.5">
      {[0, 25, 50, 75, 100].map((percent) => (
        <text key={percent} x="128" y={yOf(percent) + 3} textAnchor="end">
          {percent}
        </text>
      ))}
    </g>
  );
}

/** Where the pump goes on or off: a pointer at the tank's wall. */
function Setpoint({ percent, turns, hasLabel }: { percent: number; turns: 'on' | 'off'; hasLabel: boolean }) {
  const y = yOf(Math.min(100, Math.max(0, percent)));
  return (
    <g className={classes.setpoint} data-turns={turns} fontSize="8.5">
      <title>{`Pump ${turns} at ${numberText(percent)} %`}</title>
      <path d={`M85 ${y}l8-4.5v9Z`} />
      {hasLabel && (
        <text x="95" y={y + 3}>
          {turns}
        </text>
      )}
    </g>
  );
}
