import { useCallback, useMemo } from 'react';
import type { FarmCard } from '@headrace/contract/farms';
import type { MapGroup } from './map-group.ts';
import {
  filterKinds,
  filterLabels,
  isShown,
  type CustomFilter,
  type FilterKind,
} from '@headrace/contract/rules/sprinkler-filter';
import type { MapMarker } from '../../map/marker.ts';
import { useNow } from '../../ui/clock.ts';
import { useSettings } from '../../preferences/settings.queries.ts';
import { useTanksOnMap } from '../tanks/use-tanks-on-map.ts';
import { sortUnits, type UnitSort } from './group-filter.ts';
import {
  isOtherShown,
  otherDevices,
  otherMarker,
  type OtherStanding,
  otherStanding,
  unitMarkers,
  type GroupDevice,
  type OtherDevice,
} from './group-markers.ts';
import { matchOf } from './group-search.ts';

export interface GroupDevicesOptions {
  info: MapGroup | undefined;
  farm: FarmCard;
  filter: FilterKind;
  custom: CustomFilter;
  sort: UnitSort;
  /** What was typed to find devices by. */
  typed: string;
}

export interface GroupDevices {
  /** What the list shows, in order. */
  shown: GroupDevice[];
  markers: MapMarker[];
  counts: ReadonlyMap<FilterKind, number>;
  find: (id: string) => GroupDevice | null;
  /** As its marker has it; of a tank what the tank map says. */
  standingOf: (device: OtherDevice) => OtherStanding;
}

const NO_UNITS: MapGroup['ipcs'] = [];

/** What of a group is listed and drawn under a filter, the account's display settings and an order. */
export function useGroupDevices({
  info,
  farm,
  filter,
  custom,
  sort,
  typed,
}: GroupDevicesOptions): GroupDevices {
  const { displayPOI = true, displaySensors = true, displaySpares = false } = useSettings();
  const now = useNow();
  const { markers: tanks, standings } = useTanksOnMap(farm._id, now);
  const units = info?.ipcs ?? NO_UNITS;
  const others = useMemo(() => (info ? otherDevices(info) : []), [info]);
  const { lat, lng } = farm;
  const context = useMemo(
    () => ({ displaySpares, farmCentre: { lat, lng }, custom }),
    [displaySpares, lat, lng, custom],
  );
  const match = useMemo(() => matchOf(typed), [typed]);
  const counts = useMemo(() => {
    const of = (kind: FilterKind) => units.filter((unit) => isShown(unit, kind, context)).length;
    const known = new Map(filterLabels.map(([kind]) => [kind, of(kind)]));
    known.set(filterKinds.Sensors, others.filter(({ kind }) => kind === 'sensor').length);
    known.set(filterKinds.PointsOfInterest, others.filter(({ kind }) => kind === 'poi').length);
    known.delete(filterKinds.Custom);
    return known;
  }, [units, others, context]);
  const shown = useMemo<GroupDevice[]>(() => {
    const kind = listedKind(filter);
    const isFound = match ?? (() => true);
    // Who looks for something by name finds whatever has it.
    const isListed = (device: OtherDevice) =>
      kind ? device.kind === kind : match && filter === filterKinds.All;
    const listed = kind ? [] : units.filter((unit) => isShown(unit, filter, context) && isFound(unit));
    return [
      ...sortUnits(listed, sort).map((unit) => ({ kind: 'ipc' as const, unit })),
      ...sortUnits(
        others.filter((device) => isListed(device) && isFound(device)),
        sort,
      ),
    ];
  }, [units, others, filter, sort, context, match]);
  const ofUnits = useMemo(() => unitMarkers(units, filter, context, match), [units, filter, context, match]);
  const ofOthers = useMemo(
    () =>
      others
        .filter(({ kind }) => isOtherShown(kind, filter, { displayPOI, displaySensors }))
        .map((device) => {
          const marker = tanks.get(device.id) ?? otherMarker(device, now);
          return marker && match?.(device) === false ? { ...marker, isFaint: true } : marker;
        })
        .filter((marker) => marker !== null),
    [others, filter, displayPOI, displaySensors, tanks, now, match],
  );
  const markers = useMemo(() => [...ofUnits, ...ofOthers], [ofUnits, ofOthers]);
  const find = useCallback(
    (id: string): GroupDevice | null => {
      const unit = units.find((one) => one.id === id);
      return unit ? { kind: 'ipc', unit } : (others.find((one) => one.id === id) ?? null);
    },
    [units, others],
  );
  const standingOf = (device: OtherDevice) => standings.get(device.id) ?? otherStanding(device, now);
  return { shown, markers, counts, find, standingOf };
}

/** What is listed under a filter instead of sprinklers. */
function listedKind(filter: FilterKind): 'sensor' | 'poi' | null {
  if (filter === filterKinds.Sensors) return 'sensor';
  return filter === filterKinds.PointsOfInterest ? 'poi' : null;
}
