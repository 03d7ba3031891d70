import type { TimelineLine } from '@headrace/contract/timeline';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { mixedText } from './line-labels.ts';
import type { Telling } from './turn-labels.ts';
import classes from './timeline.module.css';

const SHOWN = 3;

/** Lines on which two schedules run: those whose sprinklers would water at once first. */
export function MixedLines({ lines, telling }: { lines: readonly TimelineLine[]; telling: Telling }) {
  const mixed = lines
    .flatMap((line) => mixedText(line, telling) ?? [])
    .toSorted((one, other) => Number(other.isAtOnce) - Number(one.isAtOnce));
  if (mixed.length === 0) return null;
  const more = mixed.length - SHOWN;
  return (
    <div role="note" aria-label="Two schedules on a line" className={classes.mixed}>
      {mixed.slice(0, SHOWN).map(({ name, text, isAtOnce }) => (
        <p key={name}>
          <ConditionDot condition={isAtOnce ? 'issue' : 'caution'} label={null} />
          <span>
            <strong>{name}:</strong> {text}
          </span>
        </p>
      ))}
      {more > 0 && (
        <p>
          And {more} more {more === 1 ? 'line' : 'lines'}: see their rows.
        </p>
      )}
    </div>
  );
}
