import classes from './sparkline.module.css';

export interface SparklineProps {
  /** Oldest first; at in epoch ms. */
  points: readonly (readonly [at: number, value: number])[];
  from: number;
  to: number;
  /** A state keeps its value until the next one is known. */
  isStep?: boolean;
}

const WIDTH = 96;
const HEIGHT = 28;
const PAD = 3;

/** How something went, too small for numbers: beside a value that says them. */
export function Sparkline({ points, from, to, isStep = false }: SparklineProps) {
  const values = points.map(([, value]) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (at: number) => PAD + ((at - from) / Math.max(1, to - from)) * (WIDTH - 2 * PAD);
  // What never changes lies in the middle, not on the floor.
  const y = (value: number) =>
    high === low ? HEIGHT / 2 : HEIGHT - PAD - ((value - low) / (high - low)) * (HEIGHT - 2 * PAD);
  const last = points.at(-1);
  const path = points.map(([at, value], index) => {
    const [left, top] = [x(at).toFixed(1), y(value).toFixed(1)];
    if (index === 0) return `M${left} ${top}`;
    return isStep ? `H${left}V${top}` : `L${left} ${top}`;
  });
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      aria-hidden="true"
      className={classes.line}
    >
      {last && <path d={path.join('')} />}
      {last && <circle cx={x(last[0])} cy={y(last[1])} r={2} />}
    </svg>
  );
}
