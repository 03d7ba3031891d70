import type { TakeDay } from '@headrace/contract/water-takes';
import classes from './takes.module.css';

/** How high each kind of quarter stands of 12: a picture in gray tells them apart as well. */
const looks: Record<string, { top: number; height: number }> = {
  m: { top: 0, height: 12 },
  z: { top: 10, height: 2 },
  s: { top: 4, height: 8 },
  e: { top: 7, height: 5 },
  '-': { top: 5, height: 2 },
};

/** A day's 96 quarters as one line; what is still to come is empty. */
export function DayCells({ day }: { day: TakeDay }) {
  return (
    <svg
      className={classes.cells}
      viewBox="0 0 96 12"
      preserveAspectRatio="none"
      role="img"
      aria-label={cellsText(day)}
    >
      {runsOf(day.cells).map(({ kind, from, length }) => {
        const look = looks[kind];
        if (!look) return null;
        return <rect key={from} data-kind={kind} x={from} width={length} y={look.top} height={look.height} />;
      })}
    </svg>
  );
}

export function cellsText({ measured, shared, estimated, missing }: TakeDay): string {
  const counts = [
    [measured, 'measured'],
    [shared, 'shared out'],
    [estimated, 'estimated'],
    [missing, 'missing'],
  ] as const;
  return counts
    .filter(([count]) => count > 0)
    .map(([count, kind]) => `${count} ${kind}`)
    .join(', ');
}

function runsOf(cells: string): { kind: string; from: number; length: number }[] {
  return [...cells.matchAll(/(.)\1*/g)].map(({ 0: run, index }) => ({
    kind: run.charAt(0),
    from: index,
    length: run.length,
  }));
}

/** What the line's shapes mean. */
export const CellsLegend = () => (
  <p className={classes.legend}>
    {[
      ['m', 'measured'],
      ['z', 'measured zero'],
      ['s', 'shared out between readings about 30 min apart'],
      ['e', 'estimated'],
      ['-', 'missing'],
    ].map(([kind = '', text]) => (
      <span key={kind}>
        <svg className={classes.sample} viewBox="0 0 8 12" preserveAspectRatio="none" aria-hidden="true">
          <rect data-kind={kind} width={8} y={looks[kind]?.top ?? 0} height={looks[kind]?.height ?? 0} />
        </svg>
        {text}
      </span>
    ))}
  </p>
);
