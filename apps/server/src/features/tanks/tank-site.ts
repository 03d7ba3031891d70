import { statusTimeOf } from '../series/latest-values.ts';
import { tankShape } from '@headrace/contract/rules/tank';
import type { SiteGateway, SitePlace, TankSite } from '@headrace/contract/tanks';
import type { FarmRow } from '../../db/schema.ts';
import { flowOf, isLegacy, levelOf, locationOf, type TankFacts, trendOf, valueOf } from './tank-summary.ts';
import type { PlaceRow } from './tanks.repo.ts';

/** What the tank map draws. `tanks` and `places` in the order wanted. */
export function toSite(farm: FarmRow, tanks: readonly TankFacts[], places: readonly PlaceRow[]): TankSite {
  const ofKind = (kind: PlaceRow['kind']) => places.filter((place) => place.kind === kind);
  return {
    name: farm.name,
    centre: { lat: farm.lat, lng: farm.lng },
    boundaries: farm.boundary,
    gateways: ofKind('gateway').map(toGateway),
    repeaters: ofKind('repeater').map(toPlace),
    pois: ofKind('poi').map(toPlace),
    sensorsLegacy: tanks.filter(({ device }) => isLegacy(device)).map(toLegacySensor),
    sensors: tanks.filter(({ device }) => !isLegacy(device)).map(toNewSensor),
  };
}

const common = (device: TankFacts['device']) => ({
  _id: device.uid,
  name: device.name,
  serialNumber: device.serial_number,
  type: device.type,
  location: locationOf(device),
});

function toGateway(place: PlaceRow): SiteGateway {
  return {
    ...common(place),
    statusTime: place.contact_at?.toISOString() ?? null,
    connected: place.online ?? false,
  };
}

function toPlace(place: PlaceRow): SitePlace {
  return {
    _id: place.uid,
    name: place.name,
    description: place.description,
    serialNumber: place.serial_number,
    location: locationOf(place),
    statusTime: place.reported_at?.toISOString() ?? null,
    ...(place.kind === 'poi' && typeof place.settings.icon === 'string' && { icon: place.settings.icon }),
  };
}

/**
 * `battery` in volts, as the limit of 3.5 that it is held against; `value` in percent, `rawValue` in mm. `settings` with the
 * measures that `value` was reckoned by, also where the record lacks them.
 */
function toLegacySensor(facts: TankFacts): TankSite['sensorsLegacy'][number] {
  const { device, latest } = facts;
  const statusTime = statusTimeOf(latest);
  const status = (at: number) => ({
    statusTime: new Date(at).toISOString(),
    battery: valueOf(latest, 'batteryV'),
    value: levelOf(facts).value,
    rawValue: valueOf(latest, 'levelMm'),
  });
  return {
    ...common(device),
    settings: { ...device.settings, ...tankShape(device.settings) },
    latestStatus: statusTime === null ? [] : [status(statusTime)],
    deletedAt: null,
  };
}

function toNewSensor(facts: TankFacts): TankSite['sensors'][number] {
  const { device, latest } = facts;
  const statusTime = statusTimeOf(latest);
  const level = levelOf(facts);
  return {
    ...common(device),
    _calculatedStatus: {
      statusTime: statusTime === null ? null : new Date(statusTime).toISOString(),
      batteryVoltage: valueOf(latest, 'batteryV'),
      percentValue: level.value,
      litreValue: level.valueInLitres,
      trending: trendOf(facts),
      flowRate: flowOf(facts)?.flowrate ?? null,
    },
  };
}
