import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { HealthHistory } from '@headrace/contract/health';
import { needs } from '@headrace/contract/permissions';
import { useCan } from '../../access/permissions.ts';
import { dayText } from '../../ui/format.ts';
import { StateView } from '../../ui/state-view.tsx';
import { useGrowing } from '../../ui/use-growing.ts';
import { namedOn } from './health-days.ts';
import { healthHistoryQuery } from './health.queries.ts';
import classes from './health-history.module.css';

interface DayUnitsProps {
  farmUID: string;
  history: HealthHistory;
  /** YYYY-MM-DD, with a count. */
  day: string;
}

/** Which sprinklers were counted on a day. An answer for many days doesn't name them: then the day is asked for alone. */
export function DayUnits({ farmUID, history, day }: DayUnitsProps) {
  const named = namedOn(history, day);
  const query = useQuery({
    ...healthHistoryQuery(farmUID, { type: history.type, start: day, stop: day }),
    enabled: named === null,
  });
  const label = `${history.description} on ${dayText(day)}`;
  if (named) return <Units farmUID={farmUID} serials={named} label={label} />;
  return (
    <StateView
      query={query}
      failed="The sprinklers of this day couldn't be loaded"
      skeleton={<div className={classes.rowsSkeleton} aria-hidden="true" />}
    >
      {({ data }) => <Units farmUID={farmUID} serials={data[0]?.units ?? []} label={label} />}
    </StateView>
  );
}

/** Rows that are drawn at once; of thousands the rest follows. */
const ROWS_AT_ONCE = 100;

function Units({ farmUID, serials, label }: { farmUID: string; serials: readonly string[]; label: string }) {
  const canMap = useCan(needs.groupMap, farmUID);
  const drawn = useGrowing(serials.length, ROWS_AT_ONCE);
  if (serials.length === 0) return <p className={classes.note}>{`${label}: none.`}</p>;
  return (
    <ul className={classes.rows} aria-label={label}>
      {serials.slice(0, drawn).map((serial) => (
        <li key={serial}>
          {canMap ? (
            <Link
              to="/group-status/$name"
              params={{ name: 'FARM' }}
              search={{ farm: farmUID, q: serial }}
              className={classes.unit}
            >
              {serial}
            </Link>
          ) : (
            <span className={classes.unit}>{serial}</span>
          )}
        </li>
      ))}
    </ul>
  );
}
