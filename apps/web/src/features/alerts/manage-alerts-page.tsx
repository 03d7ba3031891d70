import { Suspense } from 'react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { FarmCard } from '@headrace/contract/farms';
import { BellAlone } from '../../device-records/bell-alone.tsx';
import { SelectField } from '../../forms/fields.tsx';
import { lazyAgain } from '../../ui/lazy-again.ts';
import { Panel } from '../../ui/panel.tsx';
import { Empty, StateView } from '../../ui/state-view.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { TitleBar } from '../../ui/title-bar.tsx';
import { useSearchPatch } from '../../ui/url-state.ts';
import { AlertList } from './alert-list.tsx';
import type { AlertsSearch } from './alerts-search.ts';
import { alertsQuery, incidentsQuery } from './alerts.queries.ts';
import { IncidentDialog } from './incident-dialog.tsx';
import { Incidents } from './incidents.tsx';
import { useAlertFarms } from './use-alert-farms.ts';
import { UsualAlerts } from './usual-alerts.tsx';
import classes from './alerts.module.css';

/** `/alerts`: what is so now, and what the people of a farm want to be told. */
export function ManageAlertsPage() {
  const search: AlertsSearch = useSearch({ strict: false });
  const { query, farms, farm } = useAlertFarms(search.farm);
  return (
    <>
      <TitleBar title="Manage Alerts" subtitle={farm?.name} back="/">
        {farm && (
          <Link to="/alerts/new" search={{ farm: farm._id }} className={classes.add}>
            New alert
          </Link>
        )}
      </TitleBar>
      <StateView
        query={query}
        failed="Your farms couldn't be loaded"
        skeleton={<Skeleton blocks={3} blockPx={96} />}
        isEmpty={() => farm === undefined}
        empty={
          <Empty title="There is no farm that you are told of.">
            Alerts are for those whom a farm&apos;s owner has given notifications.
          </Empty>
        }
      >
        {() => farm && <OfFarm key={farm._id} farm={farm} farms={farms} incident={search.incident} />}
      </StateView>
    </>
  );
}

interface OfFarmProps {
  farm: FarmCard;
  farms: readonly FarmCard[];
  incident: string | undefined;
}

/** Below all else: fetched after it. */
const lately = lazyAgain<{ farmUID: string }>(
  () => import('./lately.tsx').then((module) => module.Lately),
  () => null,
);

function OfFarm({ farm, farms, incident }: OfFarmProps) {
  const Lately = lately.current;
  const farmUID = farm._id;
  const patch = useSearchPatch<AlertsSearch>();
  const alerts = useQuery(alertsQuery(farmUID));
  const incidents = useInfiniteQuery(incidentsQuery(farmUID, 'open'));
  const isWatched = alerts.data?.alerts.some(({ enabled, watches }) => enabled && watches > 0);
  return (
    <>
      {farms.length > 1 && (
        <div className={classes.farm}>
          <SelectField
            name="farm"
            label="Farm"
            value={farmUID}
            error={undefined}
            onChange={(chosen) => patch({ farm: chosen })}
            onBlur={() => undefined}
            options={farms.map(({ _id, name }) => ({ value: _id, label: name }))}
          />
        </div>
      )}
      <StateView
        query={incidents}
        failed="What is so now couldn't be loaded"
        skeleton={
          <div className={classes.waiting}>
            <Skeleton blocks={1} blockPx={120} />
          </div>
        }
      >
        {({ pages }) => (
          <Incidents
            farmUID={farmUID}
            pages={pages}
            isWatched={isWatched}
            more={<ShowMore query={incidents} label="Show more" failed="The others couldn't be loaded." />}
          />
        )}
      </StateView>
      <StateView
        query={alerts}
        failed="The alerts couldn't be loaded"
        skeleton={<Skeleton blocks={3} blockPx={96} />}
      >
        {(found) => (
          <>
            {found.inBellAlone && (
              <Panel title="Alerts are in the bell alone">
                <BellAlone />
              </Panel>
            )}
            {found.alerts.length > 0 && <AlertList farmUID={farmUID} {...found} />}
            <UsualAlerts farmUID={farmUID} alerts={found.alerts} />
            <Suspense>
              <Lately farmUID={farmUID} />
            </Suspense>
          </>
        )}
      </StateView>
      {incident !== undefined && (
        <IncidentDialog farmUID={farmUID} uid={incident} onClose={() => patch({ incident: undefined })} />
      )}
    </>
  );
}
