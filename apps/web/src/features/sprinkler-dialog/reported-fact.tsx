import type { ReactNode } from 'react';
import type { Timezone } from '@headrace/contract/farms';
import { ageText } from '@headrace/contract/rules/contact';
import { Age } from '../../ui/age.tsx';
import { useNow } from '../../ui/clock.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import type { Condition } from '../../ui/tokens.ts';
import classes from './sprinkler-dialog.module.css';

interface ReportedFactProps {
  name: string;
  /** When it said so, epoch ms; 0: never; null: not known yet. */
  at: number | null;
  /** It counts as news for so long, ms. */
  freshFor?: number;
  /** When something was done that may have made it another: what it said before counts as news for so long after that. */
  doneAt?: number | null | undefined;
  isSilent: boolean;
  isWrong?: boolean;
  /** What its words mean, where they are as good as a colour. */
  condition?: Condition;
  zone: Timezone | null;
  /** Null: it has not said. */
  children: string | null;
}

/** What the unit said, with its age; what is old has its age in front and is paler, but is never left out. */
export function ReportedFact(props: ReportedFactProps) {
  const { name, at, freshFor, doneAt, isSilent, isWrong = false, condition, zone, children } = props;
  const now = useNow();
  if (children === null || at === 0) return <Fact name={name}>It has not said</Fact>;
  const from = doneAt === undefined ? at : doneAt !== null && at !== null && doneAt > at ? doneAt : null;
  const isOld = isSilent || (from !== null && freshFor !== undefined && now - from > freshFor);
  return (
    <Fact name={name} isOld={isOld}>
      {isWrong && <ConditionDot condition="caution" size={13} label="Needs attention:" />}
      {condition && <ConditionDot condition={condition} size={13} label={null} />}
      {isOld && at !== null ? (
        `${ageText(at, now)}: ${children}`
      ) : (
        <>
          <span className="num">{children}</span>{' '}
          {at !== null && <Age at={at} zone={zone} className={classes.age} />}
        </>
      )}
    </Fact>
  );
}

export function Fact({
  name,
  isOld = false,
  children,
}: {
  name: string;
  isOld?: boolean;
  children: ReactNode;
}) {
  return (
    <div data-old={isOld || undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
