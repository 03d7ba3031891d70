import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type AlertsLately, TRIAL_DAYS } from '@headrace/contract/alert-trial';
import { call } from '../../api/client.ts';
import { Panel } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StateView } from '../../ui/state-view.tsx';
import classes from './alerts.module.css';

const latelyQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['alerts-lately', farmUID],
    queryFn: ({ signal }) => call('GET /alert/lately', { query: { farmUID }, signal }),
    refetchOnMount: 'always',
    meta: { records: ['alert'], farmUID },
  });

/** A day with more messages than this is loud: people stop reading them. */
const QUIET_A_DAY = 6;

/** How much one was told in 30 days, and which alerts told most. */
export function Lately({ farmUID }: { farmUID: string }) {
  return (
    <Panel title={`Your alerts, last ${TRIAL_DAYS} days`}>
      <StateView
        query={useQuery(latelyQuery(farmUID))}
        failed="It couldn't be counted"
        skeleton={<Skeleton blocks={1} blockPx={120} />}
      >
        {(lately) => <Counted lately={lately} />}
      </StateView>
    </Panel>
  );
}

/** "none", "3 of 20". */
const partText = (part: number, all: number) => (part === 0 ? 'none' : `${part} of ${all}`);

function Counted({ lately: { days, incidents, short, answered, loudest } }: { lately: AlertsLately }) {
  const told = days.reduce((sum, day) => sum + day.told, 0);
  if (told === 0 && incidents === 0) return <p className={classes.facts}>You were told nothing.</p>;
  const most = Math.max(...days.map((day) => day.told));
  const median = days.map((day) => day.told).toSorted((one, other) => one - other)[days.length >> 1] ?? 0;
  const rate = median > QUIET_A_DAY ? `, ${median} on a usual day: more than people read` : '';
  return (
    <>
      <p className={classes.sentence}>
        You were told {told} {told === 1 ? 'time' : 'times'} of {incidents}{' '}
        {incidents === 1 ? 'incident' : 'incidents'}
        {rate}.
        {incidents > 0 &&
          ` Over within 10 minutes: ${partText(short, incidents)}. Somebody was on it: ${partText(answered, incidents)}.`}
      </p>
      <ol className={classes.days} aria-label="Told each day, the oldest first">
        {days.map(({ day, told: count }) => (
          <li key={day} className={classes.day} aria-label={`${day}: ${count}`} title={`${day}: ${count}`}>
            <span
              className={classes.bar}
              style={{ height: most === 0 ? 0 : `${Math.round((100 * count) / most)}%` }}
            />
          </li>
        ))}
      </ol>
      {loudest.length > 0 && (
        <>
          <h3 className={classes.subtitle}>Loudest</h3>
          <ul className={classes.steps}>
            {loudest.map(({ alertUID, name, told: count, short: brief }) => (
              <li key={alertUID ?? name} className={classes.step}>
                <span>
                  {name}: {count}
                  {brief > 0 && `, ${brief} over within 10 minutes`}
                </span>{' '}
                {alertUID !== null && (
                  <Link to="/alerts/$id" params={{ id: alertUID }} className={classes.to}>
                    Make it quieter
                  </Link>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
