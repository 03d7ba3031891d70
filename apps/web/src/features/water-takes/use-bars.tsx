import type { Timezone } from '@headrace/contract/farms';
import type { TakeUseNow, WaterTake } from '@headrace/contract/water-takes';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { exactTime, numberText } from '../../ui/format.ts';
import { lpsText, m3Text } from './take-labels.ts';
import classes from './takes.module.css';

interface Used {
  today: TakeUseNow;
  sevenDays: TakeUseNow;
  year: TakeUseNow;
  lps: number | null;
}

/** What was taken today, in seven days and this water year, of what may be. */
export function UseBars({ use, zone, take }: { use: Used; zone: Timezone; take: WaterTake }) {
  const rate = use.lps === null ? 'The rate of now is not known.' : `${lpsText(use.lps)} in the last hour.`;
  return (
    <div className={classes.uses}>
      <UseBar title="Today" use={use.today} zone={zone} />
      {take.maxM37Day !== null && <UseBar title="7 days" use={use.sevenDays} zone={zone} />}
      <UseBar title="This water year" use={use.year} zone={zone} />
      <p className={classes.note}>{rate}</p>
    </div>
  );
}

function UseBar({ title, use, zone }: { title: string; use: TakeUseNow; zone: Timezone }) {
  const { used, most, left, reachedAt, isWhole } = use;
  const percent = most === null || most === 0 ? null : (used / most) * 100;
  const isOver = left !== null && left < 0;
  return (
    <div className={classes.use}>
      <h3 className={classes.subtitle}>{title}</h3>
      <p className={classes.figure}>
        {isWhole ? '' : 'at least '}
        <b className="num">{m3Text(used)}</b>
        {most !== null && <span className={classes.dim}> of {m3Text(most)}</span>}
      </p>
      {percent !== null && (
        <div className={classes.bar} data-over={isOver || undefined} aria-hidden="true">
          <span style={{ width: `${Math.min(100, percent)}%` }} />
        </div>
      )}
      <p className={classes.dim}>
        {left === null ? (
          'The consent has no limit for it.'
        ) : isOver ? (
          <>
            <ConditionDot condition="issue" label={null} size={15} /> {m3Text(-left)} above it
          </>
        ) : (
          <>
            {m3Text(left)} left{percent !== null && ` (${numberText(100 - percent)} %)`}
          </>
        )}
        {reachedAt && `. At this rate used up on ${exactTime(Date.parse(reachedAt), zone)}`}
      </p>
      {!isWhole && <p className={classes.dim}>For some of this time the meter’s total is not known.</p>}
    </div>
  );
}
