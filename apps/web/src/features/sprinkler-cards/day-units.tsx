import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CountedUnit, HealthHistory } from '@headrace/contract/health';
import { needs } from '@headrace/contract/permissions';
import { compareNatural } from '@headrace/contract/rules/natural-order';
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
  if (named) return <Units farmUID={farmUID} units={named} label={label} />;
  return (
    <StateView
      query={query}
      failed="The sprinklers of this day couldn't be loaded"
      skeleton={<div className={classes.rowsSkeleton} aria-hidden="true" />}
    >
      {({ data }) => <Units farmUID={farmUID} units={data[0]?.units ?? []} label={label} />}
    </StateView>
  );
}

/** Rows that are drawn at once; of thousands the rest follows. */
const ROWS_AT_ONCE = 100;

interface UnitsProps {
  farmUID: string;
  units: readonly CountedUnit[];
  label: string;
}

function Units({ farmUID, units, label }: UnitsProps) {
  const canMap = useCan(needs.groupMap, farmUID);
  const drawn = useGrowing(units.length, ROWS_AT_ONCE);
  const byName = units.toSorted((one, other) => compareNatural(one.name, other.name));
  if (units.length === 0) return <p className={classes.note}>{`${label}: none.`}</p>;
  return (
    <ul className={classes.rows} aria-label={label}>
      {byName.slice(0, drawn).map(({ id, name, serialNumber }) => (
        <li key={id ?? `${name} ${serialNumber}`}>
          {canMap && id !== null ? (
            <Link
              to="/group-status/$name"
              params={{ name: 'FARM' }}
              search={{ farm: farmUID, ipc: id }}
              className={classes.unit}
            >
              {name}
            </Link>
          ) : (
            <span className={classes.unit}>{name}</span>
          )}
          <span className={classes.serial}>{serialNumber}</span>
          {id === null && <span className={classes.serial}>deleted since</span>}
        </li>
      ))}
    </ul>
  );
}
