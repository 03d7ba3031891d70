import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { can, needs, type Resource } from '@headrace/contract/permissions';
import { tankTypes } from '@headrace/contract/sensor-types';
import type { MapMarker, MarkerShape } from '../../map/marker.ts';
import { useNow } from '../../ui/clock.ts';
import { useCan } from '../access/permissions.ts';
import { useFarmPin } from '../gateway-devices/use-farm-pin.ts';
import { gatewayStanding } from '../gateways/gateway-facts.ts';
import { sprinklerStanding } from '../irrigation-devices/sprinkler-facts.ts';
import { sprinklersQuery } from '../irrigation-devices/sprinklers.queries.ts';
import { poisQuery } from '../pois/pois.queries.ts';
import { repeaterStanding } from '../repeaters/repeater-facts.ts';
import { repeatersQuery } from '../repeaters/repeaters.queries.ts';
import { sensorStanding } from '../sensors/sensor-words.ts';
import { sensorsQuery } from '../sensors/sensors.queries.ts';
import { gatewaysQuery } from './known.queries.ts';
import type { Listed, Standing } from './list-kind.ts';

const MINUTE = 60_000;
const POINT: Standing = { condition: 'poi', word: '' };

/**
 * The farm's devices that have a place, of the kinds one may read, but the one with the id `own`: among them a device is
 * placed.
 */
export function useOthersOnMap(farmUID: string, own: string | undefined): readonly MapMarker[] {
  const mayRead = (resource: Resource) => ({ anyOf: [can(resource, 'Read')] });
  const canSprinklers = useCan(mayRead('irrigationDevices'), farmUID);
  const canGateways = useCan(needs.readGateways, farmUID);
  const canRepeaters = useCan(mayRead('repeaters'), farmUID);
  const canSensors = useCan(mayRead('sensors'), farmUID);
  const canPois = useCan(mayRead('pois'), farmUID);
  const { data: sprinklers } = useQuery({ ...sprinklersQuery(farmUID), enabled: canSprinklers });
  const { data: gateways } = useQuery({ ...gatewaysQuery(farmUID), enabled: canGateways });
  const { data: repeaters } = useQuery({ ...repeatersQuery(farmUID), enabled: canRepeaters });
  const { data: sensors } = useQuery({ ...sensorsQuery(farmUID), enabled: canSensors });
  const { data: pois } = useQuery({ ...poisQuery(farmUID), enabled: canPois });
  const { placeOf } = useFarmPin(farmUID);
  const now = Math.floor(useNow() / MINUTE) * MINUTE;
  return useMemo(() => {
    const markers = [
      ...(sprinklers ?? []).map((unit) => markerOf(unit, 'sprinkler', sprinklerStanding(unit, now))),
      ...(gateways ?? []).map((gateway) => {
        const { lat, lng } = placeOf(gateway) ?? { lat: null, lng: null };
        return markerOf({ ...gateway, lat, lng }, 'gateway', gatewayStanding(gateway, now));
      }),
      ...(repeaters ?? []).map((repeater) => markerOf(repeater, 'repeater', repeaterStanding(repeater, now))),
      ...(sensors ?? []).map((sensor) =>
        markerOf(sensor, tankTypes.includes(sensor.type) ? 'tank' : 'sensor', sensorStanding(sensor)),
      ),
      ...(pois ?? []).map((poi) => markerOf(poi, 'poi', POINT)),
    ];
    return markers.filter((marker) => marker !== null).filter(({ id }) => id !== own);
  }, [sprinklers, gateways, repeaters, sensors, pois, placeOf, own, now]);
}

type Placed = Pick<Listed, '_id' | 'name' | 'lat' | 'lng'>;

const shapeWords: Record<MarkerShape, string> = {
  sprinkler: 'Sprinkler',
  gateway: 'Gateway',
  repeater: 'Repeater',
  tank: 'Tank',
  sensor: 'Sensor',
  poi: 'Point of interest',
};

function markerOf(device: Placed, shape: MarkerShape, { condition, word }: Standing): MapMarker | null {
  const { _id: id, name, lat, lng } = device;
  if (lat === null || lng === null) return null;
  const spoken = [`${shapeWords[shape]} ${name}`, word.toLowerCase()].filter(Boolean).join(', ');
  return { id, name, lat, lng, shape, condition, spoken };
}
