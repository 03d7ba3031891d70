import type { ChartPalette } from './chart-palette.ts';
import classes from './legend.module.css';

/** How a series is drawn, so that its sign in the legend looks the same. */
export type Mark = 'line' | 'thin' | 'dotted' | 'area' | 'column';

export interface LegendEntry {
  id: string;
  name: string;
  mark: Mark;
  colour: (palette: ChartPalette) => string;
  isOn: boolean;
  onToggle: () => void;
}

/** Which series stand in a chart: a button for each. */
export function Legend({ entries, palette }: { entries: readonly LegendEntry[]; palette: ChartPalette }) {
  return (
    <div className={classes.legend} role="group" aria-label="Shown in the chart">
      {entries.map(({ id, name, mark, colour, isOn, onToggle }) => (
        <button key={id} type="button" className={classes.entry} aria-pressed={isOn} onClick={onToggle}>
          <i
            className={classes.mark}
            data-mark={mark}
            style={{ color: colour(palette) }}
            aria-hidden="true"
          />
          {name}
        </button>
      ))}
    </div>
  );
}
