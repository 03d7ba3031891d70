import { useMemo, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useParams, useRouterState, useSearch } from '@tanstack/react-router';
import type { FarmCard } from '@headrace/contract/farms';
import { MAP } from '@headrace/contract/limits';
import { filterKinds, type FilterKind } from '@headrace/contract/rules/sprinkler-filter';
import { errorText, isMissing } from '../../api/client.ts';
import { MissingPage } from '../../access/message-pages.tsx';
import { FarmMap, mapPart, MapSpinner, type Sought } from '../../map/farm-map.tsx';
import { MapFailed, MapNotice, MapPage } from '../../map/map-page.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { useSearchPatch } from '../../ui/url-state.ts';
import { useTyped } from '../../ui/use-typed.ts';
import { useCurrentFarm } from '../../farm/current-farm.ts';
import { useMapTiles } from '../../preferences/use-map-tiles.tsx';
import type { UnitsUnderWay } from '../commands/units-under-way.queries.ts';
import type { AskUnitsUnderWayProps } from './ask-units-under-way.tsx';
import type { ChooseUnitsProps } from './choose-units.tsx';
import type { GroupMapSearch } from './map-search.ts';
import { readCustom, readFilter, readSort, writeCustom, writeFilter } from './group-filter.ts';
import { type GroupDevice, withPlaces } from './group-markers.ts';
import { groupInfoQuery, useLiveGroup, WHOLE_FARM } from './group-map.queries.ts';
import { GroupPanel, idOf } from './group-panel.tsx';
import { GroupSummary } from './group-summary.tsx';
import { MapDialogs } from './map-dialogs.tsx';
import type { OtherPopupProps } from './other-popup.tsx';
import { useGroupDevices } from './use-group-devices.ts';
import { useMoves } from './use-moves.ts';
import { useSelect } from './use-select.ts';
import classes from './group-map.module.css';

const ChooseUnits = lazyPart<ChooseUnitsProps>(() => import('./choose-units.tsx').then((m) => m.default), {
  ...mapPart,
  failed: "Choosing sprinklers couldn't be loaded",
});
const AskUnitsUnderWay = lazyPart<AskUnitsUnderWayProps>(
  () => import('./ask-units-under-way.tsx').then((m) => m.default),
  {
    failed: "What is under way for the sprinklers couldn't be loaded",
    isLine: true,
    around: (said) => <div className={classes.card}>{said}</div>,
  },
);
const OtherPopup = lazyPart<OtherPopupProps>(() => import('./other-popup.tsx').then((m) => m.default), {
  failed: "What is known of it couldn't be loaded",
});
const NO_BOUNDARY: never[] = [];

/** A group's sprinklers, or all of the farm's, on the map with what needs a person beside it. */
export function GroupMapPage() {
  const { name } = useParams({ from: '/group-status/$name' });
  const farm = useCurrentFarm();
  return farm ? <GroupMap key={`${farm._id}/${name}`} farm={farm} name={name} /> : null;
}

type Patch = ReturnType<typeof useSearchPatch<GroupMapSearch>>;

/** What of the group is shown, by the address, and choosing it. */
function useMapFilter(search: GroupMapSearch, patch: Patch) {
  const [isChoosing, setIsChoosing] = useState(false);
  const custom = useMemo(() => readCustom(search), [search]);
  const setFilter = (kind: FilterKind) => {
    if (kind === filterKinds.Custom) setIsChoosing(true);
    else
      patch({ ...writeFilter(kind), prop: undefined, cond: undefined, value: undefined }, { replace: true });
  };
  const onApply = (next: Parameters<typeof writeCustom>[0]) => {
    setIsChoosing(false);
    patch(writeCustom(next), { replace: true });
  };
  const onClose = () => setIsChoosing(false);
  return {
    filter: readFilter(search),
    custom,
    setFilter,
    choosing: isChoosing ? { filter: custom, onApply, onClose } : null,
  };
}

function GroupMap({ farm, name }: { farm: FarmCard; name: string }) {
  const search: GroupMapSearch = useSearch({ strict: false });
  const patch = useSearchPatch<GroupMapSearch>();
  const [sought, setSought] = useState<Sought | null>(null);
  const [underWay, setUnderWay] = useState<UnitsUnderWay>();
  const viewKey = useRouterState({ select: ({ location }) => location.state.__TSR_key });
  const query = useQuery(groupInfoQuery(farm._id, name));
  const tiles = useMapTiles({ hasHint: true });
  useLiveGroup(farm._id, name);

  const { filter, custom, setFilter, choosing } = useMapFilter(search, patch);
  const sort = readSort(search.sort);
  const info = query.data;
  const { typed, type } = useTyped(search.q, (q) => patch({ q }, { replace: true }));
  const { shown, markers, counts, find, standingOf } = useGroupDevices({
    info,
    farm,
    filter,
    custom,
    sort,
    typed,
  });
  const listed = useMemo(() => shown.flatMap((one) => (one.kind === 'ipc' ? [one.unit.id] : [])), [shown]);
  const moves = useMoves(farm._id, find);
  const { move, pending } = moves;
  const shownMarkers = useMemo(() => withPlaces(markers, pending), [markers, pending]);
  const isFarm = name === WHOLE_FARM;
  const selected = search.ipc ?? null;
  const device = selected === null ? null : find(selected);
  const unitOf = (id: string) => {
    const found = find(id);
    return found?.kind === 'ipc' ? found.unit : null;
  };

  const { select, opening, height, setHeight } = useSelect(find);
  const panel = (
    <GroupPanel
      farmUID={farm._id}
      {...{ name, info, shown, counts, filter, custom, sort, selected, typed, underWay }}
      {...{ standingOf, onType: type, onFilter: setFilter }}
      onSort={(next) => patch({ sort: next === 'name' ? undefined : next }, { replace: true })}
      onSelect={(id) => {
        const seek = () => setSought({ id });
        if (!move?.now) return select(id, seek);
        setHeight('summary');
        move.now.onChoose(new Set([id]));
        seek();
      }}
    />
  );
  const onMove = (one: GroupDevice) =>
    move && moves.mayMove(one) ? () => move.onStart(idOf(one)) : undefined;
  const popup = device && device.kind !== 'ipc' && !move?.now && (
    <OtherPopup device={device} farmUID={farm._id} onClose={() => select(null)} onMove={onMove(device)} />
  );
  const isPlaced = device !== null && markers.some(({ id }) => id === idOf(device));
  const none = `${farm.name} has no group ${name}. It may have been renamed or deleted.`;
  if (isMissing(query)) return <MissingPage why={isFarm ? undefined : none} />;
  if (search.choose && info) return <ChooseUnits {...{ farm, name, info, shown, tiles }} />;
  const title = isFarm ? farm.name : name;
  const retry = { onRetry: () => void query.refetch(), isRetrying: query.isFetching };
  const dialogs = (
    <MapDialogs
      {...{ farm, info, moves, opening, selected, device, listed, choosing, unitOf }}
      onMove={device ? onMove(device) : undefined}
    />
  );
  return (
    <MapPage
      title={`Sprinklers of ${title}`}
      heading={title}
      panel={panel}
      counts={<GroupSummary info={info} filter={filter} onFilter={setFilter} isCompact />}
      // On a farm without sprinklers the map says nothing; the list has the next step.
      height={height ?? (info?.ipcs.length === 0 ? 'full' : 'summary')}
      onHeight={setHeight}
      dialogs={dialogs}
    >
      {info ? (
        <FarmMap
          label={`Sprinklers of ${title}`}
          markers={shownMarkers}
          points={isFarm || markers.length === 0 ? undefined : markers}
          boundary={info.boundaries.length > 0 ? info.boundaries : NO_BOUNDARY}
          centre={farm}
          zoom={isFarm ? MAP.farmZoom : MAP.groupZoom}
          tiles={tiles}
          selected={selected}
          onSelect={(id) => select(id)}
          popup={popup}
          sought={sought}
          viewKey={viewKey}
          move={move ?? undefined}
          hasOwnList
        />
      ) : (
        <MapSpinner isOver={query.isError && !query.isFetching}>
          {query.isError && (
            <MapFailed {...retry}>The sprinklers couldn't be loaded: {errorText(query.error)}</MapFailed>
          )}
        </MapSpinner>
      )}
      <AskUnitsUnderWay farmUID={farm._id} onUnderWay={setUnderWay} />
      {info && query.isError && (
        <MapNotice {...retry}>These are the last values received; newer ones couldn't be loaded.</MapNotice>
      )}
      {popup && !isPlaced && <div className={classes.card}>{popup}</div>}
    </MapPage>
  );
}
