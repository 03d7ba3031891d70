import { useCallback, useMemo } from 'react';
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { farmSetsQuery } from '../../device-records/choices.queries.ts';
import { Empty, StateView } from '../../ui/state-view.tsx';
import { useSearchPatch } from '../../ui/url-state.ts';
import { ScheduleTable } from '../schedules/schedule-table.tsx';
import { setQuery } from '../schedules/sets.queries.ts';
import { scheduleFarmQuery } from '../schedules/templates.queries.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { ScheduleViewSearch } from './view-search.ts';
import classes from './schedule-view.module.css';

/** What a set has for each sprinkler, line by line: of the set in the address, else of the one that the farm waters by. */
export default function TableTab({ farmUID }: { farmUID: string }) {
  const search: ScheduleViewSearch = useSearch({ strict: false });
  const patch = useSearchPatch<ScheduleViewSearch>();
  const query = useQuery(farmSetsQuery(farmUID));
  return (
    <StateView
      query={query}
      failed="The schedule sets couldn't be loaded"
      skeleton={<Skeleton blocks={6} blockPx={44} />}
      isEmpty={(sets) => sets.length === 0 && search.set === undefined}
      empty={
        <Empty
          title="No schedule set yet"
          action={
            <Link to="/scheduler/$farmUID" params={{ farmUID }} className={classes.way}>
              To the templates
            </Link>
          }
        >
          A set is made of a schedule template, by Save and compute.
        </Empty>
      }
    >
      {(sets) => {
        const chosen = search.set ?? (sets.find(({ selected }) => selected) ?? sets.at(-1))?.id ?? '';
        return (
          <div className={classes.setTable}>
            <NativeSelect
              size="md"
              label="Schedule set"
              value={chosen}
              data={[
                // One that a newer one replaced is in no list.
                ...(sets.some(({ id }) => id === chosen) ? [] : [{ value: chosen, label: 'An earlier set' }]),
                ...sets.map(({ id, name, selected }) => ({
                  value: id,
                  label: selected ? `${name} (the farm waters by it)` : name,
                })),
              ]}
              onChange={(event) => patch({ set: event.currentTarget.value }, { replace: true })}
            />
            <SetTable key={chosen} farmUID={farmUID} setUID={chosen} />
          </div>
        );
      }}
    </StateView>
  );
}

function SetTable({ farmUID, setUID }: { farmUID: string; setUID: string }) {
  const query = useQuery(setQuery(farmUID, setUID));
  const open = useOpenOnMap(farmUID);
  return (
    <StateView
      query={query}
      failed="The schedule set couldn't be loaded"
      skeleton={<Skeleton blocks={6} blockPx={44} />}
    >
      {({ name, schedules, settings }) => (
        <ScheduleTable units={schedules} cycleLen={settings.cycleLen} name={name} onOpen={open} />
      )}
    </StateView>
  );
}

/** Opens a sprinkler where its dialog is; one that isn't in service is looked for there. */
function useOpenOnMap(farmUID: string): (serialNumber: string) => void {
  const navigate = useNavigate();
  const { data: farm } = useQuery(scheduleFarmQuery(farmUID));
  const idOf = useMemo(
    () => new Map(farm?.groups.flatMap(({ ipcs }) => ipcs.map(({ serialNumber, id }) => [serialNumber, id]))),
    [farm],
  );
  return useCallback(
    (serialNumber) => {
      const ipc = idOf.get(serialNumber);
      const search = ipc === undefined ? { farm: farmUID, q: serialNumber } : { farm: farmUID, ipc };
      void navigate({ to: '/group-status/$name', params: { name: 'FARM' }, search });
    },
    [farmUID, idOf, navigate],
  );
}
