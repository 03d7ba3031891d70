import type { Timezone } from '@headrace/contract/farms';
import type { WateringRun } from '@headrace/contract/waterings';
import { dayStart } from '@headrace/contract/rules/farm-time';
import { useNow } from '../../ui/clock.ts';
import { dayName } from '../commands/command-times.ts';
import { depthLabel, runText } from './schedule-labels.ts';
import classes from './sprinkler-dialog.module.css';

interface RunListProps {
  /** The newest first. */
  runs: readonly WateringRun[];
  zone: Timezone;
  empty: string;
}

/** When its valve was open, as far as that was heard. */
export function RunList({ runs, zone, empty }: RunListProps) {
  const now = useNow();
  const today = dayStart(zone, now);
  if (runs.length === 0) return <p className={classes.note}>{empty}</p>;
  return (
    <ul className={classes.runs}>
      {runs.map((run) => {
        const { times, how, mm } = runText(run, zone, now);
        return (
          <li key={run.openedAt}>
            <span>{dayName(Date.parse(run.openedAt), today, zone)}</span>
            <b className="num">{times}</b>
            {mm !== null && <span className="num">{depthLabel(mm)}</span>}
            <span className={classes.age}>{how}</span>
          </li>
        );
      })}
    </ul>
  );
}
