import { useQuery } from '@tanstack/react-query';
import { MAP } from '@headrace/contract/limits';
import { toNumber } from '@headrace/contract/rules/farm-form';
import type { LatLng } from '@headrace/contract/schemas';
import { FarmMap } from '../../map/farm-map.tsx';
import { globalSettingsQuery } from '../settings/settings.queries.ts';
import type { EnteredPlace } from './farm-values.ts';
import classes from './farm-form.module.css';

export interface FarmMapFieldProps {
  place: EnteredPlace;
  boundary: readonly LatLng[];
  onPlace: (place: LatLng) => void;
  onBoundary: (boundary: readonly LatLng[]) => void;
}

/** The map of the farm form. */
export function FarmMapField({ place, boundary }: FarmMapFieldProps) {
  const { data } = useQuery(globalSettingsQuery);
  const pin = { lat: toNumber(place.lat), lng: toNumber(place.lng) };
  const hasPin = pin.lat !== 0 && pin.lng !== 0;
  return (
    <div className={classes.map}>
      <FarmMap
        label="Map of the farm"
        markers={[]}
        boundary={boundary}
        centre={hasPin ? pin : MAP.centre}
        zoom={hasPin ? MAP.tankZoom : MAP.zoom}
        tiles={data && { url: data.tileUrl, attribution: data.tileAttribution }}
        selected={null}
        onSelect={() => undefined}
      />
    </div>
  );
}
