import { lazy, Suspense, useMemo, useState } from 'react';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { IconList, IconMap2 } from '@tabler/icons-react';
import type { FarmCard } from '@headrace/contract/farms';
import { MAP } from '@headrace/contract/limits';
import { filterKinds, type FilterKind } from '@headrace/contract/rules/sprinkler-filter';
import type { GroupMapSearch } from '../../app/search.ts';
import { errorText } from '../../api/client.ts';
import { FarmMap, MapSpinner } from '../../map/farm-map.tsx';
import { RetryButton } from '../../ui/state-view.tsx';
import { useSearchPatch } from '../../ui/url-state.ts';
import { useIsMobile } from '../../ui/use-is-mobile.ts';
import { useCurrentFarm } from '../farms/current-farm.ts';
import { globalSettingsQuery } from '../settings/settings.queries.ts';
import { readCustom, readFilter, readSort, writeCustom, writeFilter } from './group-filter.ts';
import { groupInfoQuery, useLiveGroup, WHOLE_FARM } from './group-map.queries.ts';
import { GroupPanel, idOf } from './group-panel.tsx';
import { GroupPopup } from './group-popup.tsx';
import { GroupSummary } from './group-summary.tsx';
import { useGroupDevices } from './use-group-devices.ts';
import classes from './group-map.module.css';

const CustomFilterDialog = lazy(() => import('./custom-filter-dialog.tsx'));
const NO_BOUNDARY: never[] = [];

/** A group's sprinklers, or all of the farm's, on the map with what needs a person beside it. */
export function GroupMapPage() {
  const { name } = useParams({ from: '/group-status/$name' });
  const farm = useCurrentFarm();
  return farm ? <GroupMap key={`${farm._id}/${name}`} farm={farm} name={name} /> : null;
}

function GroupMap({ farm, name }: { farm: FarmCard; name: string }) {
  const search: GroupMapSearch = useSearch({ strict: false });
  const patch = useSearchPatch<GroupMapSearch>();
  const isMobile = useIsMobile();
  const [isList, setIsList] = useState(false);
  const [isChoosing, setIsChoosing] = useState(false);
  const query = useQuery(groupInfoQuery(farm._id, name));
  const globals = useQuery(globalSettingsQuery);
  useLiveGroup(farm._id, name);

  const filter = readFilter(search);
  const custom = useMemo(() => readCustom(search), [search]);
  const sort = readSort(search.sort);
  const info = query.data;
  const { shown, markers, counts, find } = useGroupDevices({ info, farm, filter, custom, sort });
  const isFarm = name === WHOLE_FARM;
  const selected = search.ipc ?? null;
  const device = selected === null ? null : find(selected);

  const select = (id: string | null) => {
    setIsList(false);
    patch({ ipc: id ?? undefined }, { replace: true });
  };
  const setFilter = (kind: FilterKind) => {
    if (kind === filterKinds.Custom) setIsChoosing(true);
    else
      patch({ ...writeFilter(kind), prop: undefined, cond: undefined, value: undefined }, { replace: true });
  };
  const panel = (
    <GroupPanel
      info={info}
      shown={shown}
      counts={counts}
      filter={filter}
      custom={custom}
      sort={sort}
      selected={selected}
      onFilter={setFilter}
      onSort={(next) => patch({ sort: next === 'name' ? undefined : next }, { replace: true })}
      onSelect={select}
    />
  );
  const popup = device && <GroupPopup device={device} farmUID={farm._id} onClose={() => select(null)} />;
  const isPlaced = device !== null && markers.some(({ id }) => id === idOf(device));
  return (
    <div className={classes.page}>
      {!isMobile && (
        <aside className={classes.side}>
          <h1 className={classes.title}>{isFarm ? farm.name : name}</h1>
          {panel}
        </aside>
      )}
      <div className={classes.main}>
        {isMobile && <h1 className={classes.spoken}>Sprinklers of {isFarm ? farm.name : name}</h1>}
        {info ? (
          <FarmMap
            label={`Sprinklers of ${isFarm ? farm.name : name}`}
            markers={markers}
            points={isFarm || markers.length === 0 ? undefined : markers}
            boundary={info.boundaries.length > 0 ? info.boundaries : NO_BOUNDARY}
            centre={farm}
            zoom={isFarm ? MAP.farmZoom : MAP.groupZoom}
            tiles={globals.data && { url: globals.data.tileUrl, attribution: globals.data.tileAttribution }}
            selected={selected}
            onSelect={select}
            popup={popup}
            hasOwnList
          />
        ) : (
          <MapSpinner isOver={query.isError && !query.isFetching}>
            {query.isError && (
              <div role="alert" className={classes.failed}>
                <p>The sprinklers couldn't be loaded: {errorText(query.error)}</p>
                <RetryButton onClick={() => void query.refetch()} isBusy={query.isFetching} />
              </div>
            )}
          </MapSpinner>
        )}
        {info && query.isError && (
          <div role="status" className={classes.strip}>
            These are the last values received; newer ones couldn't be loaded.
            <RetryButton onClick={() => void query.refetch()} isBusy={query.isFetching} />
          </div>
        )}
        {popup && !isPlaced && <div className={classes.card}>{popup}</div>}
        {isMobile && isList && <div className={classes.sheet}>{panel}</div>}
      </div>
      {isMobile && (
        <div className={classes.bar}>
          <Button
            variant="default"
            className={classes.toggle}
            leftSection={
              isList ? <IconMap2 size={20} aria-hidden="true" /> : <IconList size={20} aria-hidden="true" />
            }
            onClick={() => setIsList((is) => !is)}
          >
            {isList ? 'Map' : 'List'}
          </Button>
          <GroupSummary info={info} filter={filter} onFilter={setFilter} isCompact />
        </div>
      )}
      <Suspense>
        {isChoosing && (
          <CustomFilterDialog
            isOpen
            filter={custom}
            onClose={() => setIsChoosing(false)}
            onApply={(next) => {
              setIsChoosing(false);
              patch(writeCustom(next), { replace: true });
            }}
          />
        )}
      </Suspense>
    </div>
  );
}
