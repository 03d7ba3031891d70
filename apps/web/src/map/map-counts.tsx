import { ConditionDot } from '../ui/condition-dot.tsx';
import { numberText } from '../ui/format.ts';
import type { Condition } from '../ui/tokens.ts';
import classes from './map-counts.module.css';

export interface MapCount {
  label: string;
  count: number | undefined;
  /** How it looks as soon as there is one; null: nothing is wrong with them. */
  condition: Condition | null;
  isPressed: boolean;
  onPress: () => void;
}

/** How many need a person, and why. Each count filters by what it counts. */
export function MapCounts(props: { label: string; tiles: readonly MapCount[]; isCompact: boolean }) {
  const { label, tiles, isCompact } = props;
  return (
    <ul className={classes.tiles} data-compact={isCompact || undefined} aria-label={label}>
      {tiles.map((tile) => {
        const condition = (tile.count ?? 0) > 0 ? tile.condition : null;
        return (
          <li key={tile.label}>
            <button
              type="button"
              className={classes.tile}
              aria-pressed={tile.isPressed}
              data-condition={condition ?? undefined}
              onClick={tile.onPress}
            >
              <b className="num">
                {condition && <ConditionDot condition={condition} label={null} size={13} />}
                {numberText(tile.count)}
              </b>
              <span>{tile.label}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
