import { areaHectares, areaText } from '@headrace/contract/rules/polygon';
import { ConditionDot } from '../ui/condition-dot.tsx';
import type { BoundarySentence } from './boundary-sentence.ts';
import type { Ring } from './draft.ts';
import classes from './drawing.module.css';

/** Area and points of the boundary while it is drawn, and what is wrong with it. */
export function BoundaryFacts({ ring, sentence }: { ring: Ring; sentence: BoundarySentence }) {
  const count = ring.length === 1 ? '1 point' : `${ring.length} points`;
  return (
    <div className={classes.facts}>
      <span className="num">
        <b>{ring.length >= 3 && !sentence.isWrong ? areaText(areaHectares(ring)) : '– ha'}</b> · {count}
      </span>
      <span role="status" className={classes.sentence} data-wrong={sentence.isWrong || undefined}>
        {sentence.isWrong && <ConditionDot condition="issue" label={null} size={16} />}
        {sentence.text}
      </span>
    </div>
  );
}
