import { useInfiniteQuery } from '@tanstack/react-query';
import { ShowMore } from '../../ui/show-more.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { incidentsQuery } from './alerts.queries.ts';
import { IncidentText } from './incident-text.tsx';
import entries from '../../ui/entries.module.css';
import classes from './alerts.module.css';

/** What was so, the newest first, folded: as far back as it is kept. */
export function EndedIncidents({ farmUID }: { farmUID: string }) {
  const query = useInfiniteQuery(incidentsQuery(farmUID, 'ended'));
  return (
    <StateView
      query={query}
      failed="What is over couldn't be loaded"
      skeleton={<Skeleton blocks={1} blockPx={44} />}
      isEmpty={({ pages: [first] }) => first?.ended.length === 0}
    >
      {({ pages }) => (
        <details className={classes.ended}>
          <summary className={classes.summary}>
            What is over (ended in the last 30 days: {pages[0]?.count.ended})
          </summary>
          <ul className={entries.list} aria-label="What is over">
            {pages
              .flatMap(({ ended }) => ended)
              .map((incident) => (
                <li key={incident.uid} className={entries.entry}>
                  <IncidentText farmUID={farmUID} incident={incident} />
                </li>
              ))}
          </ul>
          <ShowMore query={query} label="Show older" failed="What is older couldn't be loaded." />
        </details>
      )}
    </StateView>
  );
}
