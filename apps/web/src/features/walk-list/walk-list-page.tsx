import { useMemo, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { IconPrinter } from '@tabler/icons-react';
import { Button } from '@mantine/core';
import type { FarmCard } from '@headrace/contract/farms';
import { MAP } from '@headrace/contract/limits';
import { needs } from '@headrace/contract/permissions';
import { type Leg, walkOrder } from '@headrace/contract/rules/walk-order';
import type { LatLng } from '@headrace/contract/schemas';
import type { WalkList, WalkStop } from '@headrace/contract/walk-list';
import { useCan } from '../../access/permissions.ts';
import { Age } from '../../ui/age.tsx';
import { Empty, StateView } from '../../ui/state-view.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { TitleBar } from '../../ui/title-bar.tsx';
import { FarmMap, type Sought } from '../../map/farm-map.tsx';
import { HereButton } from '../../map/here-button.tsx';
import type { MapMarker } from '../../map/marker.ts';
import { farmQuery, farmsCardQuery } from '../../farm/farms.queries.ts';
import { useMapTiles } from '../../preferences/use-map-tiles.tsx';
import { DoneList } from './done-list.tsx';
import { type Done, useDoneHere } from './done-here.ts';
import { StopList } from './stop-list.tsx';
import { walkListQuery } from './walk-list.queries.ts';
import { hasKind, isBattery, stopCondition, type WalkKind } from './walk-labels.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import classes from './walk-list.module.css';

const NO_BOUNDARY: LatLng[] = [];
const KINDS = [
  { value: 'all', label: 'All' },
  { value: 'batteries', label: 'Batteries' },
  { value: 'repairs', label: 'Repairs' },
] as const;

/** `/walk-list/{farmUID}`: where somebody has to go, in the order of the shortest next way. */
export function WalkListPage() {
  const { farmUID } = useParams({ from: '/walk-list/$farmUID' });
  const { data: farms } = useQuery(farmsCardQuery);
  const farm = farms?.find(({ _id }) => _id === farmUID);
  const query = useQuery(walkListQuery(farmUID));
  return (
    <>
      <TitleBar title="Walk list" subtitle={farm?.name} back="/">
        <Button
          variant="default"
          mih={44}
          className={classes.print ?? ''}
          leftSection={<IconPrinter size={18} stroke={1.7} aria-hidden="true" />}
          onClick={() => globalThis.print()}
        >
          Print
        </Button>
      </TitleBar>
      <StateView
        query={query}
        failed="The walk list couldn't be loaded"
        skeleton={<Skeleton blocks={5} blockPx={110} />}
      >
        {(list) => farm && <Walk key={farmUID} farm={farm} list={list} />}
      </StateView>
    </>
  );
}

function Walk({ farm, list }: { farm: FarmCard; list: WalkList }) {
  const { _id: farmUID } = farm;
  const [kind, setKind] = useState<WalkKind>('all');
  const [here, setHere] = useState<LatLng | null>(null);
  const [selected, setSelected] = useState<string | null>(null);
  const [sought, setSought] = useState<Sought | null>(null);
  const tiles = useMapTiles();
  const { data: { boundary = NO_BOUNDARY } = {} } = useQuery({
    ...farmQuery(farmUID),
    enabled: useCan(needs.readFarm, farmUID),
  });
  const done = useDoneHere(farmUID);
  const left = useMemo(() => withoutDone(list.stops, done), [list, done]);
  const { lat, lng } = farm;
  const legs = useMemo(
    () =>
      walkOrder(
        left.filter((stop) => hasKind(stop, kind)),
        here ?? { lat, lng },
      ),
    [left, kind, here, lat, lng],
  );
  const markers = useMemo(() => legs.flatMap(toMarker), [legs]);
  return (
    <div className={classes.page}>
      <div className={classes.tools}>
        <Segmented<WalkKind> aria-label="What is to be done" value={kind} onChange={setKind} data={KINDS} />
        <HereButton onFound={setHere} />
      </div>
      <p className={classes.sum}>
        {sumText(legs)} <Age at={list.at}>As known</Age>
      </p>
      {markers.length > 0 && (
        <div className={classes.map}>
          <FarmMap
            label="Where to go"
            markers={markers}
            points={markers}
            boundary={boundary}
            centre={here ?? farm}
            zoom={MAP.farmZoom}
            tiles={tiles}
            selected={selected}
            onSelect={setSelected}
            sought={sought}
            hasOwnList
          />
        </div>
      )}
      {legs.length === 0 ? (
        <Empty title={kind === 'all' ? 'Nobody has to go anywhere.' : `No ${kind} to see to.`}>
          No battery is low or is seen to be within 14 days, and no unit in service is out of contact or open
          beyond its time, as far as is known.
        </Empty>
      ) : (
        <StopList
          farmUID={farmUID}
          legs={legs}
          from={here ? 'where you were' : 'the farm’s place'}
          selected={selected}
          onShow={(id) => {
            setSelected(id);
            setSought({ id });
          }}
        />
      )}
      <DoneList farmUID={farmUID} done={done} />
    </div>
  );
}

/** A battery that was changed from here since the list was made is none to change. */
function withoutDone(stops: readonly WalkStop[], done: readonly Done[]): WalkStop[] {
  const changed = new Set(done.filter(({ state }) => state !== 'refused').map(({ id }) => id));
  return stops.flatMap((stop) => {
    const why = changed.has(stop.id) ? stop.why.filter((one) => !isBattery(one)) : stop.why;
    return why.length === 0 ? [] : [{ ...stop, why }];
  });
}

function sumText(legs: readonly Leg<WalkStop>[]): string {
  const metres = legs.reduce((sum, { way }) => sum + (way?.metres ?? 0), 0);
  const stops = `${legs.length} ${legs.length === 1 ? 'place' : 'places'}`;
  return metres === 0 ? `${stops}.` : `${stops}, ${(metres / 1000).toFixed(1)} km as the crow flies.`;
}

function toMarker({ stop }: Leg<WalkStop>, index: number): MapMarker[] {
  const { id, device, name, location } = stop;
  if (!location) return [];
  const condition = stopCondition(stop);
  const spoken = `${index + 1}: ${device} ${name}`;
  return [{ id, ...location, shape: device, condition, name: `${index + 1}: ${name}`, spoken }];
}
