import type { MapGroup } from './map-group.ts';
import type { MapUnit } from '@headrace/contract/map-units';
import type { LatLng } from '@headrace/contract/schemas';
import { gatewayCondition } from '@headrace/contract/rules/contact';
import { filterKinds, type FilterContext, type FilterKind } from '@headrace/contract/rules/sprinkler-filter';
import type { MapMarker } from '../../map/marker.ts';
import type { Condition } from '../../ui/tokens.ts';
import { poiText, radioStanding } from '../../device-records/marker-look.ts';
import { gatewayColour, gatewayLabels } from '../../device-records/gateway-view-model.ts';
import { standing } from './group-filter.ts';
import { unitSigns, unitLabel } from '../../device-records/unit-view-model.ts';

export type OtherKind = 'sensor' | 'repeater' | 'gateway' | 'poi';
export type OtherDevice = MapGroup['sensors'][number] & { kind: OtherKind };
export type GroupDevice = { kind: 'ipc'; unit: MapUnit } | OtherDevice;

export const kindLabels: Record<OtherKind, string> = {
  sensor: 'Sensor',
  repeater: 'Repeater',
  gateway: 'Gateway',
  poi: 'Point of interest',
};

export function otherDevices(info: MapGroup): OtherDevice[] {
  const of = (kind: OtherKind, list: MapGroup['sensors']) => list.map((device) => ({ ...device, kind }));
  return [
    ...of('gateway', info.gateways),
    ...of('repeater', info.repeaters),
    ...of('sensor', info.sensors),
    ...of('poi', info.pois),
  ];
}

/** Markers by the unit that they are of, for each way to draw it: a unit that didn't change keeps its marker, and isn't drawn again. */
const known = new WeakMap<MapUnit, (MapMarker | null)[]>();

function unitMarker(unit: MapUnit, isFaint: boolean): MapMarker | null {
  const made = known.get(unit) ?? [];
  const marker = (made[Number(isFaint)] ??= makeUnitMarker(unit, isFaint));
  known.set(unit, made);
  return marker;
}

function makeUnitMarker(unit: MapUnit, isFaint: boolean): MapMarker | null {
  const { id, name, lat, lng } = unit;
  if (lat === null || lng === null) return null;
  const spoken = `Sprinkler ${name}, ${unitLabel(unit).toLowerCase()}`;
  return {
    id,
    name,
    lat,
    lng,
    shape: 'sprinkler',
    ...unitSigns(unit),
    spoken,
    ...(isFaint && { isFaint }),
  };
}

/** The sprinklers' markers under a filter and a search; those that these leave out are faint. */
export function unitMarkers(
  units: readonly MapUnit[],
  filter: FilterKind,
  context: FilterContext,
  match: ((unit: MapUnit) => boolean) | null = null,
): MapMarker[] {
  const markers: MapMarker[] = [];
  for (const unit of units) {
    const how = standing(unit, filter, context);
    const isFaint = how === 'faint' || match?.(unit) === false;
    const marker = how === 'hidden' ? null : unitMarker(unit, isFaint);
    if (marker) markers.push(marker);
  }
  return markers;
}

/** Devices where they are shown for now; the others stay the same objects. */
export const withPlaces = (
  markers: readonly MapMarker[],
  places: ReadonlyMap<string, LatLng>,
): readonly MapMarker[] =>
  places.size === 0 ? markers : markers.map((marker) => ({ ...marker, ...places.get(marker.id) }));

export interface Displayed {
  displayPOI: boolean;
  displaySensors: boolean;
}

/** Asked for by name, they are shown whatever the settings say. */
export function isOtherShown(kind: OtherKind, filter: FilterKind, displayed: Displayed): boolean {
  if (kind === 'poi') return displayed.displayPOI || filter === filterKinds.PointsOfInterest;
  return kind !== 'sensor' || displayed.displaySensors || filter === filterKinds.Sensors;
}

/** How a device is that isn't a sprinkler; `label` null: nothing can be said, or it is as it should be. */
export interface OtherStanding {
  readonly condition: Condition;
  readonly label: string | null;
}

/** By when it was heard: what a tank's readings say isn't known here. `now` in epoch ms. */
export function otherStanding(
  { kind, statustime }: Pick<OtherDevice, 'kind' | 'statustime'>,
  now: number,
): OtherStanding {
  if (kind === 'poi') return { condition: 'poi', label: null };
  const at = statustime || null;
  if (kind === 'gateway') {
    const contact = gatewayCondition(at, now);
    return { condition: gatewayColour[contact], label: gatewayLabels[contact] };
  }
  return radioStanding(kind, at, now);
}

/** A marker of any device that isn't a sprinkler; null without a place. `now` in epoch ms. */
export function otherMarker(device: OtherDevice, now: number): MapMarker | null {
  const { id, name, lat, lng, kind } = device;
  if (lat === null || lng === null) return null;
  const { condition, label } = otherStanding(device, now);
  const what = kind === 'poi' ? poiText(device.icon) : kindLabels[kind];
  return {
    id,
    name,
    lat,
    lng,
    shape: kind,
    condition,
    ...(kind === 'poi' && { sign: device.icon }),
    spoken: label === null ? `${what} ${name}` : `${what} ${name}, ${label.toLowerCase()}`,
  };
}
