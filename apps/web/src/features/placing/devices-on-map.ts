import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { can, needs, type Resource } from '@headrace/contract/permissions';
import { tankTypes } from '@headrace/contract/sensor-types';
import type { MapMarker, MarkerShape } from '../../map/marker.ts';
import { useNow } from '../../ui/clock.ts';
import { useCan } from '../../access/permissions.ts';
import { gatewayStanding } from '../../device-records/gateway-view-model.ts';
import { sprinklerStanding } from '../../device-records/sprinkler-view-model.ts';
import { sprinklersQuery } from '../../device-records/sprinklers.queries.ts';
import { poisQuery } from '../../device-records/pois.queries.ts';
import { repeatersQuery } from '../../device-records/repeaters.queries.ts';
import { sensorStanding } from '../../device-records/sensor-labels.ts';
import { sensorsQuery } from '../../device-records/sensors.queries.ts';
import { gatewaysQuery } from '../../device-records/choices.queries.ts';
import type { Listed, Standing } from '../../device-records/device-record.ts';
import { poiText, radioLook } from '../../device-records/marker-look.ts';
import { useTanksOnMap } from '../tanks/use-tanks-on-map.ts';
import { useFarmPin } from './use-farm-pin.ts';

const MINUTE = 60_000;

/** The farm's devices that have a place, of the kinds one may read, as all maps draw them: among them a device is placed. */
export function useDevicesOnMap(farmUID: string): readonly MapMarker[] {
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
  const { markers: tanks } = useTanksOnMap(farmUID, now);
  return useMemo(() => {
    const markers = [
      ...(sprinklers ?? []).map((unit) => markerOf(unit, 'sprinkler', sprinklerStanding(unit, now))),
      ...(gateways ?? []).map((gateway) => {
        const { lat, lng } = placeOf(gateway) ?? { lat: null, lng: null };
        return markerOf({ ...gateway, lat, lng }, 'gateway', gatewayStanding(gateway, now));
      }),
      ...(repeaters ?? []).map((repeater) => radioMarker(repeater, 'repeater', now)),
      ...(sensors ?? []).map((sensor) =>
        tankTypes.includes(sensor.type)
          ? (tanks.get(sensor._id) ?? markerOf(sensor, 'tank', sensorStanding(sensor)))
          : radioMarker(sensor, 'sensor', now),
      ),
      ...(pois ?? []).map((poi) => pointMarker(poi)),
    ];
    return markers.filter((marker) => marker !== null);
  }, [sprinklers, gateways, repeaters, sensors, pois, placeOf, tanks, now]);
}

type Placed = Pick<Listed, '_id' | 'name' | 'lat' | 'lng'>;

const shapeLabels: Record<MarkerShape, string> = {
  sprinkler: 'Sprinkler',
  gateway: 'Gateway',
  repeater: 'Repeater',
  tank: 'Tank',
  sensor: 'Sensor',
  poi: 'Point of interest',
};

function markerOf(device: Placed, shape: MarkerShape, { condition, label }: Standing): MapMarker | null {
  const { _id: id, name, lat, lng } = device;
  if (lat === null || lng === null) return null;
  const spoken = [`${shapeLabels[shape]} ${name}`, label.toLowerCase()].filter(Boolean).join(', ');
  return { id, name, lat, lng, shape, condition, spoken };
}

function radioMarker(
  device: Placed & { statusTime: number },
  shape: 'repeater' | 'sensor',
  now: number,
): MapMarker | null {
  const marker = markerOf(device, shape, { condition: 'sensor', label: '' });
  return marker && { ...marker, ...radioLook(shape, marker.spoken, device.statusTime || null, now) };
}

function pointMarker(poi: Placed & { icon: string }): MapMarker | null {
  const marker = markerOf(poi, 'poi', { condition: 'poi', label: '' });
  return marker && { ...marker, sign: poi.icon, spoken: `${poiText(poi.icon)} ${poi.name}` };
}
