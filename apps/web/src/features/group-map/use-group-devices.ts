import { useCallback, useMemo } from 'react';
import type { FarmCard } from '@headrace/contract/farms';
import type { GroupInfo } from '@headrace/contract/groups';
import {
  filterKinds,
  filterLabels,
  isShown,
  type CustomFilter,
  type FilterKind,
} from '@headrace/contract/rules/sprinkler-filter';
import type { MapMarker } from '../../map/marker.ts';
import { useNow } from '../../ui/clock.ts';
import { useSettings } from '../settings/settings.queries.ts';
import { sortUnits, type UnitSort } from './group-filter.ts';
import { isOtherShown, otherDevices, otherMarker, unitMarkers, type GroupDevice } from './group-markers.ts';

export interface GroupDevicesOptions {
  info: GroupInfo | undefined;
  farm: FarmCard;
  filter: FilterKind;
  custom: CustomFilter;
  sort: UnitSort;
}

export interface GroupDevices {
  /** What the list shows, in order. */
  shown: GroupDevice[];
  markers: MapMarker[];
  counts: ReadonlyMap<FilterKind, number>;
  find: (id: string) => GroupDevice | null;
}

const NO_UNITS: GroupInfo['ipcs'] = [];

/** What of a group is listed and drawn under a filter, the account's display settings and an order. */
export function useGroupDevices({ info, farm, filter, custom, sort }: GroupDevicesOptions): GroupDevices {
  const { displayPOI = true, displaySensors = true, displaySpares = false } = useSettings();
  const now = useNow();
  const units = info?.ipcs ?? NO_UNITS;
  const others = useMemo(() => (info ? otherDevices(info) : []), [info]);
  const { lat, lng } = farm;
  const context = useMemo(
    () => ({ displaySpares, farmCentre: { lat, lng }, custom }),
    [displaySpares, lat, lng, custom],
  );
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
    if (kind)
      return sortUnits(
        others.filter((device) => device.kind === kind),
        sort,
      );
    const listed = units.filter((unit) => isShown(unit, filter, context));
    return sortUnits(listed, sort).map((unit) => ({ kind: 'ipc', unit }));
  }, [units, others, filter, sort, context]);
  const ofUnits = useMemo(() => unitMarkers(units, filter, context), [units, filter, context]);
  const ofOthers = useMemo(
    () =>
      others
        .filter(({ kind }) => isOtherShown(kind, filter, { displayPOI, displaySensors }))
        .map((device) => otherMarker(device, now))
        .filter((marker) => marker !== null),
    [others, filter, displayPOI, displaySensors, now],
  );
  const markers = useMemo(() => [...ofUnits, ...ofOthers], [ofUnits, ofOthers]);
  const find = useCallback(
    (id: string): GroupDevice | null => {
      const unit = units.find((one) => one.id === id);
      return unit ? { kind: 'ipc', unit } : (others.find((one) => one.id === id) ?? null);
    },
    [units, others],
  );
  return { shown, markers, counts, find };
}

/** What is listed under a filter instead of sprinklers. */
function listedKind(filter: FilterKind): 'sensor' | 'poi' | null {
  if (filter === filterKinds.Sensors) return 'sensor';
  return filter === filterKinds.PointsOfInterest ? 'poi' : null;
}
