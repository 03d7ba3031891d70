import type { Timezone } from '@headrace/contract/farms';
import type { Restriction } from '@headrace/contract/water-takes';
import { useNow } from '../../ui/clock.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { exactTime } from '../../ui/format.ts';
import classes from './takes.module.css';

/** Restrictions that hold now or are to come. */
export function RestrictionLines({
  restrictions,
  zone,
}: {
  restrictions: readonly Restriction[];
  zone: Timezone;
}) {
  const now = useNow();
  const open = restrictions.filter(({ to }) => Date.parse(to) > now);
  if (open.length === 0) return null;
  return (
    <ul className={classes.lines} aria-label="Restrictions">
      {open.map((one) => (
        <li key={`${one.from} ${one.kind}`}>
          <span className={classes.found}>
            <ConditionDot condition="caution" label={null} size={15} />
            <span>
              <b>{kindText(one)}</b> {exactTime(Date.parse(one.from), zone)} to{' '}
              {exactTime(Date.parse(one.to), zone)}
              {one.note && `: ${one.note}`}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}

export function kindText({ kind, percent }: Restriction): string {
  if (kind === 'cease') return 'Nothing may be taken';
  return kind === 'rate' ? `${percent} % of the rate` : `${percent} % of the day’s volume`;
}
