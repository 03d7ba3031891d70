import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Timezone } from '@headrace/contract/farms';
import { LATE_CLOSERS, type LateCloser } from '@headrace/contract/irr-diary';
import { needs } from '@headrace/contract/permissions';
import { useCan } from '../../access/permissions.ts';
import { call } from '../../api/client.ts';
import { exactTime, numberText } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import classes from './diary.module.css';

const lateClosersQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['late-closers', farmUID],
    queryFn: async ({ signal }) =>
      (await call('GET /irr-diary-logs/late-closers', { query: { farmUID }, signal })).units,
    staleTime: 5 * 60_000,
  });

/** Sprinklers that were open past their end: a valve that sticks gets worse. */
export function LateClosers({ farmUID, zone }: { farmUID: string; zone: Timezone }) {
  const query = useQuery(lateClosersQuery(farmUID));
  return (
    <Panel title={`Closed late in the last ${LATE_CLOSERS.days} days`}>
      <StateView
        query={query}
        failed="What closed late couldn't be loaded"
        skeleton={<Skeleton blocks={1} blockPx={52} />}
        isEmpty={(units) => units.length === 0}
        empty={<p className={classes.note}>None was open past its end, as far as is known.</p>}
      >
        {(units) => <Closers {...{ farmUID, zone, units }} />}
      </StateView>
    </Panel>
  );
}

interface ClosersProps {
  farmUID: string;
  zone: Timezone;
  units: readonly LateCloser[];
}

function Closers({ farmUID, zone, units }: ClosersProps) {
  const canMap = useCan(needs.groupMap, farmUID);
  return (
    <>
      <p className={classes.note}>
        They still said that they were open after their end. Look at the valve: dirt, a worn diaphragm or a
        weak battery. A valve that is open now is closed with Valve Off in the sprinkler's dialog.
      </p>
      <ul className={classes.logs} aria-label="Closed late">
        {units.map((unit) => (
          <li key={unit.unitUID} className={classes.late}>
            <span className={classes.who}>
              {canMap ? (
                <Link
                  to="/group-status/$name"
                  params={{ name: 'FARM' }}
                  search={{ farm: farmUID, ipc: unit.unitUID, tab: 'now' }}
                >
                  {unit.sprinkler}
                </Link>
              ) : (
                unit.sprinkler
              )}
              <small>{unit.scheduleGroup || unit.group}</small>
            </span>
            <b className="num">{lateText(unit)}</b>
            <span className="num">
              {unit.times > 1 && `${numberText(unit.times)} times; `}was to close at{' '}
              {exactTime(Date.parse(unit.worst.dueAt), zone)}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** "20 to 34 min late"; "20 min late or more, and not heard to have closed". */
function lateText({ worst: { least, most } }: LateCloser): string {
  if (most === null) return `${numberText(least)} min late or more, not heard to have closed`;
  return most === least
    ? `${numberText(least)} min late`
    : `${numberText(least)} to ${numberText(most)} min late`;
}
