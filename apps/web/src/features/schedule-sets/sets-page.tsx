import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { SCHEDULE_SETS_PER_FARM } from '@headrace/contract/limits';
import type { SetSummary } from '@headrace/contract/schedule-sets';
import { Panel } from '../../ui/panel.tsx';
import { Empty, StateView } from '../../ui/state-view.tsx';
import { TitleBar } from '../../ui/title-bar.tsx';
import { farmsCardQuery } from '../../farm/farms.queries.ts';
import { SetDialog } from './set-dialog.tsx';
import type { SetAct } from './set-menu.tsx';
import { SetEntry } from './set-entry.tsx';
import { setsQuery } from './sets.queries.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import classes from './sets.module.css';

/** `/schedules/{id}`: the schedule sets of a farm, the one that it waters by first. */
export function SetsPage() {
  const { id: farmUID } = useParams({ from: '/schedules/$id' });
  const { data: farms } = useQuery(farmsCardQuery);
  const query = useQuery(setsQuery(farmUID));
  return (
    <>
      <TitleBar title="Schedule sets" subtitle={farms?.find(({ _id }) => _id === farmUID)?.name} back="/" />
      <StateView
        query={query}
        failed="The schedule sets couldn't be loaded"
        skeleton={<Skeleton blocks={3} blockPx={136} />}
        isEmpty={(sets) => sets.length === 0}
        empty={
          <Empty
            title="No schedule sets yet."
            action={
              <Link to="/scheduler/$farmUID" params={{ farmUID }} className={classes.way}>
                To the templates
              </Link>
            }
          >
            A set says when each sprinkler waters. It is computed from a template and then sent to the
            sprinklers.
          </Empty>
        }
      >
        {(sets) => <Sets key={farmUID} farmUID={farmUID} sets={sets} />}
      </StateView>
    </>
  );
}

interface Asked {
  act: SetAct;
  set: SetSummary;
}

function Sets({ farmUID, sets }: { farmUID: string; sets: readonly SetSummary[] }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const current = sets.find(({ isCurrent }) => isCurrent);
  return (
    <Panel title={`${sets.length} ${sets.length === 1 ? 'set' : 'sets'}`}>
      {sets.length >= SCHEDULE_SETS_PER_FARM && (
        <p className={classes.full}>
          The farm has {SCHEDULE_SETS_PER_FARM} schedule sets, the most there can be. Delete one that is not
          in use before you add another.
        </p>
      )}
      <ul className={classes.list} aria-label="Schedule sets">
        {sets.map((set) => (
          <SetEntry
            key={set._id}
            set={set}
            farmUID={farmUID}
            currentUID={current?._id ?? null}
            onAsk={(act) => setAsked({ act, set })}
          />
        ))}
      </ul>
      {asked && (
        <SetDialog
          {...asked}
          farmUID={farmUID}
          onNext={(act, set) => setAsked({ act, set })}
          onClose={() => setAsked(null)}
        />
      )}
    </Panel>
  );
}
