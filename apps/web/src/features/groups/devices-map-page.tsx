import { useMemo } from 'react';
import { Link, useParams } from '@tanstack/react-router';
import type { Api } from '@headrace/contract/api';
import { isMissing } from '../../api/client.ts';
import { NotFoundPage } from '../../access/message-pages.tsx';
import { LassoSelect } from '../../map/lasso-select.tsx';
import { MapSpinner } from '../../map/farm-map.tsx';
import type { MapMarker } from '../../map/marker.ts';
import { StateView } from '../../ui/state-view.tsx';
import { isLocationless } from '../../device-records/device-record.ts';
import { useMapTiles } from '../../preferences/use-map-tiles.tsx';
import { DevicesTitle } from './devices-title.tsx';
import type { Member } from './members.ts';
import { changeOf, useChangeMembers, useMembers } from './use-members.ts';
import classes from './groups.module.css';

/** `/group/devices-map/{farmUID}/{groupId}` */
export function DevicesMapPage() {
  const { farmUID, groupId } = useParams({ from: '/group/devices-map/$farmUID/$groupId' });
  const { group, query, hidden } = useMembers(farmUID, groupId);
  if (isMissing(query)) return <NotFoundPage />;
  return (
    <div className={classes.page}>
      <DevicesTitle group={group} members={query.data} hidden={hidden}>
        <Link
          className={classes.way}
          to="/group/devices-list/$farmUID/$groupId"
          params={{ farmUID, groupId }}
        >
          As a list
        </Link>
      </DevicesTitle>
      <div className={classes.map}>
        <StateView query={query} failed="The devices couldn't be loaded" skeleton={<MapSpinner />}>
          {(members) => group && <DevicesMap farmUID={farmUID} group={group} members={members} />}
        </StateView>
      </div>
    </div>
  );
}

interface DevicesMapProps {
  farmUID: string;
  group: Api['GET /group/devices']['reply'];
  members: readonly Member[];
}

function DevicesMap({ farmUID, group, members }: DevicesMapProps) {
  const change = useChangeMembers(farmUID, group.id);
  const tiles = useMapTiles();
  const free = useMemo(() => members.filter(isChoosable), [members]);
  const markers = useMemo(() => free.map(markerOf).filter((marker) => marker !== null), [free]);
  const placeless = useMemo(() => free.filter(isLocationless).map(signOf), [free]);
  const others = useMemo(
    () =>
      members
        .filter((one) => !isChoosable(one))
        .map(markerOf)
        .filter((marker) => marker !== null),
    [members],
  );
  const chosen = useMemo(() => new Set(free.filter(({ isIn }) => isIn).map(({ _id }) => _id)), [free]);
  const set = (wanted: ReadonlySet<string>) => {
    change(
      changeOf(
        'add',
        free.filter(({ _id }) => wanted.has(_id)),
      ),
    );
    change(
      changeOf(
        'remove',
        free.filter(({ _id }) => !wanted.has(_id)),
      ),
    );
  };
  return (
    <LassoSelect
      label={`Devices of ${group.name}`}
      markers={markers}
      placeless={placeless}
      others={others}
      chosen={chosen}
      onChange={set}
      boundary={group.farmBoundary}
      centre={group.farmLocation}
      tiles={tiles}
    />
  );
}

/** Sprinklers of another lateral group are seen faintly: they have to leave it first. */
const isChoosable = ({ isIn, taken }: Member): boolean => isIn || taken === null;

const signOf = ({ _id, name, kind, standing, taken }: Member) => ({
  id: _id,
  name,
  condition: standing.condition,
  spoken: [
    kind === 'pois' ? `Point of interest ${name}` : `Sprinkler ${name}, ${standing.label.toLowerCase()}`,
    ...(taken === null ? [] : [`in lateral group ${taken}`]),
  ].join(', '),
});

function markerOf(member: Member): MapMarker | null {
  const { lat, lng } = member;
  if (lat === null || lng === null) return null;
  const shape = member.kind === 'pois' ? 'poi' : 'sprinkler';
  return { ...signOf(member), lat, lng, shape, ...(!isChoosable(member) && { isFaint: true }) };
}
