import { areaHectares, areaText } from '@headrace/contract/rules/polygon';
import type { Ring } from './draft.ts';
import classes from './drawing.module.css';

/** Area and points of the boundary while it is drawn: one line, so that the map below never moves under the finger. */
export function BoundaryFacts({ ring, isWrong }: { ring: Ring; isWrong: boolean }) {
  const count = ring.length === 1 ? '1 point' : `${ring.length} points`;
  return (
    <div className={`${classes.facts} num`}>
      <b>{ring.length >= 3 && !isWrong ? areaText(areaHectares(ring)) : '– ha'}</b> · {count}
    </div>
  );
}
