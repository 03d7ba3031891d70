import type { Timezone } from '@headrace/contract/farms';
import { can } from '@headrace/contract/permissions';
import type { Restriction, WaterTake } from '@headrace/contract/water-takes';
import { useCan } from '../../access/permissions.ts';
import { useNow } from '../../ui/clock.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { spanText } from '../../ui/format.ts';
import { RestrictionStrip } from './restriction-strip.tsx';
import classes from './takes.module.css';

interface Props {
  farmUID: string;
  take: WaterTake;
  zone: Timezone;
}

/** Restrictions that hold now or are to come, each with what is to water then. */
export function RestrictionLines({ farmUID, take, zone }: Props) {
  const now = useNow();
  const hasSchedules = useCan({ anyOf: [can('schedules', 'Read')] }, farmUID);
  const open = take.restrictions.filter(({ to }) => Date.parse(to) > now);
  if (open.length === 0) return null;
  return (
    <ul className={classes.lines} aria-label="Restrictions">
      {open.map((one) => (
        <li key={`${one.from} ${one.kind}`}>
          <span className={classes.found}>
            <ConditionDot condition="caution" label={null} size={15} />
            <span>
              <b>{kindText(one)}</b> {spanText(one, zone)}
              {one.note && `: ${one.note}`}
            </span>
          </span>
          {hasSchedules && <RestrictionStrip {...{ farmUID, take, zone }} restriction={one} />}
        </li>
      ))}
    </ul>
  );
}

export function kindText({ kind, percent }: Restriction): string {
  if (kind === 'cease') return 'Nothing may be taken';
  return kind === 'rate' ? `${percent} % of the rate` : `${percent} % of the day’s volume`;
}
