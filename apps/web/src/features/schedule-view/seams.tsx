import type { Timezone } from '@headrace/contract/farms';
import { clockText } from '@headrace/contract/rules/schedule/clock-text';
import type { Timeline } from '@headrace/contract/timeline';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { weekday } from './turn-labels.ts';
import classes from './timeline.module.css';

/** Told a week ahead: in spring two sprinklers of a line run side by side for the skipped hour, in autumn none does. */
export function Seams({ seams, zone, now }: { seams: Timeline['seams']; zone: Timezone; now: number }) {
  return seams
    .filter(({ at }) => at > now)
    .map(({ at, fromMin, toMin }) => (
      <p key={at} className={classes.notice} role="note">
        <ConditionDot condition="caution" label={null} />
        <span>
          The clock goes {clockText(fromMin)} → {clockText(toMin)} on {weekday(at, zone)}.{' '}
          {effect(toMin - fromMin)}
        </span>
      </p>
    ));
}

function effect(jump: number): string {
  const minutes = Math.abs(jump) > 720 ? 1440 - Math.abs(jump) : Math.abs(jump);
  return jump > 0
    ? `Waterings of the ${minutes} minutes that are skipped begin at the change, beside those that follow.`
    : `Each line rests for ${minutes} minutes: a watering of the hour that comes twice runs the first time.`;
}
