import { type TankFindings, tankState, type TankState } from '@headrace/contract/rules/tank-state';
import { gatewayCondition } from '@headrace/contract/rules/contact';
import type { LatLng } from '@headrace/contract/schemas';
import type { SiteGateway, SitePlace, TankSite, TankSummary } from '@headrace/contract/tanks';
import type { MapMarker } from '../../map/marker.ts';
import { numberText } from '../../ui/format.ts';
import { poiText, radioLook } from '../../device-records/marker-look.ts';
import { gatewayColour, gatewayLabels } from '../../device-records/gateway-view-model.ts';
import { conditionOf, stateLabel, trendLabel } from './tank-view-model.ts';
import type { MapItem } from './map-filter.ts';

interface Common extends MapItem {
  id: string;
  serialNumber: string;
  location: LatLng | null;
}
/** Something on the tank map, in the form that its list, filter, marker and popup share. */
export type MapDevice =
  | (Common & { kind: 'tank'; tank: TankSummary; state: TankState })
  | (Common & { kind: 'gateway'; gateway: SiteGateway })
  | (Common & { kind: 'repeater' | 'poi'; place: SitePlace });

const ms = (time: string | null) => (time === null ? null : Date.parse(time));
const CALM = { lowBattery: false, lowLevel: false } as const;

/** A tank as a map has it. `found`: what its readings point to. `now` in epoch ms. */
export function tankDevice(
  tank: TankSummary,
  now: number,
  found: TankFindings | undefined,
): Extract<MapDevice, { kind: 'tank' }> {
  const state = tankState(tank, now, found);
  const { _id: id, name, serialNumber, location, statusTime } = tank;
  const { condition, lowBattery, lowLevel } = state;
  return {
    kind: 'tank',
    id,
    name,
    serialNumber,
    location,
    statusTime: ms(statusTime),
    condition,
    lowBattery,
    lowLevel,
    tank,
    state,
  };
}

function gatewayDevice(gateway: SiteGateway, now: number): MapDevice {
  const { _id: id, name, serialNumber, location } = gateway;
  const statusTime = ms(gateway.statusTime);
  const condition = gatewayCondition(statusTime, now) === 'ok' ? 0 : 1;
  return { kind: 'gateway', id, name, serialNumber, location, statusTime, condition, ...CALM, gateway };
}

function placeDevice(kind: 'repeater' | 'poi', place: SitePlace): MapDevice {
  const { _id: id, name, serialNumber, location } = place;
  return {
    kind,
    id,
    name,
    serialNumber,
    location,
    statusTime: ms(place.statusTime),
    condition: 0,
    ...CALM,
    place,
  };
}

/** All there is on the map. Tanks that the farm no longer has are left out; POIs only while they are to be shown. */
export function mapDevices(
  tanks: readonly TankSummary[],
  site: TankSite | undefined,
  options: { now: number; displayPOI: boolean; found: ReadonlyMap<string, TankFindings> },
): MapDevice[] {
  const deleted = new Set(
    site?.sensorsLegacy.filter(({ deletedAt }) => deletedAt !== null).map(({ _id }) => _id),
  );
  return [
    ...tanks
      .filter(({ _id }) => !deleted.has(_id))
      .map((tank) => tankDevice(tank, options.now, options.found.get(tank._id))),
    ...(site?.gateways ?? []).map((gateway) => gatewayDevice(gateway, options.now)),
    ...(site?.repeaters ?? []).map((place) => placeDevice('repeater', place)),
    ...(options.displayPOI ? (site?.pois ?? []) : []).map((place) => placeDevice('poi', place)),
  ];
}

/** A device's marker; null without a place. */
export function markerOf(device: MapDevice, now: number): MapMarker | null {
  if (!device.location) return null;
  const common = { id: device.id, name: device.name, lat: device.location.lat, lng: device.location.lng };
  switch (device.kind) {
    case 'tank': {
      const { level } = device.tank;
      const percent = level.invalid ? null : level.value;
      const text = stateLabel(device.state).join(', ') || 'OK';
      const value = percent === null ? '' : `${numberText(percent)} %`;
      const trend = trendLabel(device.tank.trending);
      return {
        ...common,
        shape: 'tank',
        condition: conditionOf(device.state),
        fill: percent,
        value,
        spoken: [`Tank ${device.name}`, value || 'no level', trend, text].filter(Boolean).join(', '),
      };
    }
    case 'gateway': {
      const condition = gatewayCondition(device.statusTime, now);
      return {
        ...common,
        shape: 'gateway',
        condition: gatewayColour[condition],
        spoken: `Gateway ${device.name}, ${gatewayLabels[condition].toLowerCase()}`,
      };
    }
    case 'repeater': {
      const look = radioLook('repeater', `Repeater ${device.name}`, device.statusTime, now);
      return { ...common, shape: 'repeater', ...look };
    }
    case 'poi': {
      const { icon } = device.place;
      return {
        ...common,
        shape: 'poi',
        condition: 'poi',
        sign: icon,
        spoken: `${poiText(icon)} ${device.name}`,
      };
    }
    default:
      return device satisfies never;
  }
}
