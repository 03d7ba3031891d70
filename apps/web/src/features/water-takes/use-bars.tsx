import type { Timezone } from '@headrace/contract/farms';
import type { TakeUseNow, WaterTake } from '@headrace/contract/water-takes';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { useNow } from '../../ui/clock.ts';
import { dayText, exactTime, numberText } from '../../ui/format.ts';
import { kindText } from './restriction-lines.tsx';
import { limitM3Text, lpsText, m3Text } from './take-labels.ts';
import classes from './takes.module.css';

interface Used {
  consent: 'valid' | 'notYet' | 'ended';
  today: TakeUseNow;
  sevenDays: TakeUseNow;
  year: TakeUseNow;
  lps: number | null;
}

/** What was taken today, in seven days and this water year, of what may be. */
export function UseBars({ use, zone, take }: { use: Used; zone: Timezone; take: WaterTake }) {
  const rate = use.lps === null ? 'The present rate is not known.' : `${lpsText(use.lps)} in the last hour.`;
  const bar = { zone, consent: use.consent };
  return (
    <div className={classes.uses}>
      <Consent take={take} consent={use.consent} />
      <Restricted take={take} zone={zone} />
      <UseBar title="Today" use={use.today} {...bar} />
      {take.maxM37Day !== null && <UseBar title="7 days" use={use.sevenDays} {...bar} />}
      <UseBar title="This water year" use={use.year} {...bar} />
      <p className={classes.note}>{rate}</p>
    </div>
  );
}

function Consent({ take: { validFrom, validTo }, consent }: { take: WaterTake; consent: Used['consent'] }) {
  const text =
    consent === 'ended' && validTo
      ? `The consent ended on ${dayText(validTo)}: nothing may be taken under it.`
      : consent === 'notYet' && validFrom
        ? `The consent begins on ${dayText(validFrom)}.`
        : null;
  if (text === null) return null;
  return (
    <p className={classes.note}>
      <ConditionDot condition="caution" label={null} size={15} /> {text}
    </p>
  );
}

/** What holds now. */
function Restricted({ take, zone }: { take: WaterTake; zone: Timezone }) {
  const now = useNow();
  const held = take.restrictions.filter(({ from, to }) => Date.parse(from) <= now && Date.parse(to) > now);
  return held.map((one) => (
    <p key={`${one.from} ${one.kind}`} className={classes.note}>
      <ConditionDot condition="caution" label={null} size={15} /> {kindText(one)} until{' '}
      {exactTime(Date.parse(one.to), zone)}
    </p>
  ));
}

interface UseBarProps {
  title: string;
  use: TakeUseNow;
  zone: Timezone;
  consent: Used['consent'];
}

function UseBar({ title, use, zone, consent }: UseBarProps) {
  const { used, most, left, isWhole, isRestricted } = use;
  const percent = most === null || most === 0 ? null : (used / most) * 100;
  // Nothing was heard: no zero stands for it.
  const isUnknown = !isWhole && used === 0;
  return (
    <div>
      <h3 className={classes.subtitle}>{title}</h3>
      <p className={classes.figure}>
        {isWhole || isUnknown ? '' : 'at least '}
        <b className="num">{isUnknown ? 'not known' : m3Text(used)}</b>
        {most !== null && (
          <span className={classes.dim}>
            {' '}
            of {limitM3Text(most)}
            {isRestricted && ', restricted'}
          </span>
        )}
      </p>
      {percent !== null && !isUnknown && (
        <div className={classes.bar} data-over={(left ?? 0) < 0 || undefined} aria-hidden="true">
          <span style={{ width: `${Math.min(100, percent)}%` }} />
        </div>
      )}
      <Left use={use} zone={zone} consent={consent} />
      {!isWhole && <p className={classes.dim}>{missesText(use, zone)}</p>}
    </div>
  );
}

function Left({ use: { most, left, reachedAt, isWhole }, zone, consent }: Omit<UseBarProps, 'title'>) {
  if (left === null || most === null)
    return consent === 'valid' && <p className={classes.dim}>The consent has no limit for it.</p>;
  if (left < 0)
    return (
      <p className={classes.dim}>
        <ConditionDot condition="issue" label={null} size={15} /> {isWhole ? '' : 'At least '}
        {m3Text(-left)} above it
      </p>
    );
  if (left === 0) return <p className={classes.dim}>Nothing left</p>;
  return (
    <p className={classes.dim}>
      {isWhole ? '' : 'At most '}
      {m3Text(left)} left{most > 0 && isWhole && ` (${numberText((left / most) * 100)} %)`}
      {reachedAt && `. At this rate used up on ${exactTime(Date.parse(reachedAt), zone)}`}
    </p>
  );
}

/** Why more may have been taken. */
function missesText({ measuredFrom, measuredTo, cutM3 }: TakeUseNow, zone: Timezone): string {
  const since = measuredFrom && `since ${exactTime(Date.parse(measuredFrom), zone)}`;
  const until = measuredTo && `until ${exactTime(Date.parse(measuredTo), zone)}`;
  if (since || until) return `Measured ${[since, until].filter(Boolean).join(' ')} only.`;
  if (cutM3 > 0) return `Gaps of ${m3Text(cutM3)} over its start or end aren’t shared out.`;
  return 'For some of this time the meter’s total is not known.';
}
