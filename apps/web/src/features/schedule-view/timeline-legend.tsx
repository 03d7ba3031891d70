import { turnSigns } from '@headrace/contract/rules/schedule/turns';
import { signLabels } from './turn-labels.ts';
import classes from './timeline.module.css';

const bandLabels = {
  night: 'Night',
  hold: 'Paddock hold',
  window: 'Time for water',
  avoid: 'Avoid',
} as const;

/** What the bars mean. */
export function Legend() {
  return (
    <ul className={classes.legend} aria-label="What the bars mean">
      {turnSigns.map((sign) => (
        <li key={sign}>
          <i className={`${classes.bar_} ${classes.sample}`} data-sign={sign} />
          {signLabels[sign]}
        </li>
      ))}
      <li>
        <i className={`${classes.bar_} ${classes.sample}`} data-sign="said" data-command />
        Valve On
      </li>
      {(['night', 'hold', 'window', 'avoid'] as const).map((kind) => (
        <li key={kind}>
          <i className={`${classes.band} ${classes.sample}`} data-kind={kind} />
          {bandLabels[kind]}
        </li>
      ))}
    </ul>
  );
}
