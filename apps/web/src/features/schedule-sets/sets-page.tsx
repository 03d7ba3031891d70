import { useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { SCHEDULE_SETS_PER_FARM } from '@headrace/contract/limits';
import type { FarmCard } from '@headrace/contract/farms';
import { flag } from '@headrace/contract/permissions';
import type { SetSummary } from '@headrace/contract/schedule-sets';
import { useCan } from '../../access/permissions.ts';
import { errorText } from '../../api/client.ts';
import { toast } from '../../ui/toasts.ts';
import { saveTable } from '../schedules/save-table.ts';
import { setQuery } from '../schedules/sets.queries.ts';
import { Panel } from '../../ui/panel.tsx';
import { Empty, StateView } from '../../ui/state-view.tsx';
import { TitleBar } from '../../ui/title-bar.tsx';
import { farmsCardQuery } from '../../farm/farms.queries.ts';
import { SetDialog } from './set-dialog.tsx';
import type { SetAct } from './set-menu.tsx';
import { SetEntry } from './set-entry.tsx';
import { renewSets, setsQuery } from './sets.queries.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import classes from './sets.module.css';
import { LazyImportDialog } from '../files/lazy-import-dialog.ts';

/** `/schedules/{id}`: the schedule sets of a farm, the one that it waters by first. */
export function SetsPage() {
  const { id: farmUID } = useParams({ from: '/schedules/$id' });
  const { data: farms } = useQuery(farmsCardQuery);
  const farm = farms?.find(({ _id }) => _id === farmUID);
  const query = useQuery(setsQuery(farmUID));
  return (
    <>
      <TitleBar title="Schedule sets" subtitle={farm?.name} back="/">
        {(query.data?.length ?? 0) > 0 && (
          <Button
            variant="default"
            mih={44}
            renderRoot={(props) => <Link {...props} to="/scheduler/$farmUID" params={{ farmUID }} />}
          >
            Templates
          </Button>
        )}
      </TitleBar>
      <StateView
        query={query}
        failed="The schedule sets couldn't be loaded"
        skeleton={<Skeleton blocks={3} blockPx={136} />}
        isEmpty={(sets) => sets.length === 0}
        empty={
          <Empty
            title="No schedule sets yet."
            action={
              <>
                <Link to="/scheduler/$farmUID" params={{ farmUID }} className={classes.way}>
                  To the templates
                </Link>
                {farm && <Import farm={farm} />}
              </>
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

/** Sets come from elsewhere as a file, too. */
function Import({ farm }: { farm: FarmCard }) {
  const queryClient = useQueryClient();
  const canImport = useCan({ anyOf: [flag('import')] }, farm._id) && !farm.tankOnly;
  const [isOpen, setIsOpen] = useState(false);
  const close = () => {
    setIsOpen(false);
    void renewSets(queryClient, farm._id);
  };
  if (!canImport) return null;
  return (
    <>
      <Button variant="default" mih={44} onClick={() => setIsOpen(true)}>
        Import a file…
      </Button>
      {isOpen && <LazyImportDialog farm={farm} onClose={close} />}
    </>
  );
}

interface Asked {
  act: Exclude<SetAct, 'export'>;
  set: SetSummary;
}

function Sets({ farmUID, sets }: { farmUID: string; sets: readonly SetSummary[] }) {
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState<Asked | null>(null);
  const save = useMutation({
    mutationFn: ({ _id }: SetSummary) => queryClient.fetchQuery(setQuery(farmUID, _id)),
    onSuccess: ({ name, schedules }) => saveTable({ name, units: schedules }),
    onError: (error) => toast.error(errorText(error)),
  });
  const ask = (act: SetAct, set: SetSummary) =>
    act === 'export' ? save.mutate(set) : setAsked({ act, set });
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
            onAsk={(act) => ask(act, set)}
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
