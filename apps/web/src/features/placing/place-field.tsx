import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { LatLng } from '@headrace/contract/schemas';
import { FieldGroup, Wide } from '../../forms/fields.tsx';
import type { FieldProps } from '../../forms/use-record-form.ts';
import { LocationPicker } from '../../map/location-picker.tsx';
import type { MarkerShape } from '../../map/marker.ts';
import { farmQuery, farmsCardQuery } from '../../farm/farms.queries.ts';
import { useMapTiles } from '../../preferences/use-map-tiles.tsx';
import { useDevicesOnMap } from './devices-on-map.ts';

export type PlaceFieldProps = FieldProps<LatLng | null> & {
  farmUID: string;
  shape: MarkerShape;
  /** Its id, when it has been saved before. */
  own: string | undefined;
  /** What stands beside it on the map. */
  device: string;
  required?: boolean | undefined;
  /** A place that follows from others, until somebody chooses one. */
  proposed?: LatLng | null | undefined;
};

/** Where a device is: on the map among the farm's others, or as numbers. */
export function PlaceField({
  farmUID,
  shape,
  own,
  device,
  required = false,
  proposed,
  ...field
}: PlaceFieldProps) {
  const { land, isKnown } = useLand(farmUID);
  const tiles = useMapTiles();
  const devices = useDevicesOnMap(farmUID);
  const { others, look } = useMemo(
    () => ({ others: devices.filter(({ id }) => id !== own), look: devices.find(({ id }) => id === own) }),
    [devices, own],
  );
  return (
    <Wide>
      <FieldGroup name={field.name} label="Location" error={field.error} required={required}>
        <LocationPicker
          isReady={isKnown}
          label={device ? `Location of ${device}` : 'Location'}
          value={field.value}
          onChange={(place) => {
            field.onChange(place);
            field.onBlur();
          }}
          shape={shape}
          look={look}
          name={device}
          boundary={land?.boundary}
          others={others}
          centre={land && { lat: land.lat, lng: land.lng }}
          tiles={tiles}
          viewKey={`place.${farmUID}`}
          isRequired={required}
          isProposed={
            Boolean(proposed) && proposed?.lat === field.value?.lat && proposed?.lng === field.value?.lng
          }
        />
      </FieldGroup>
    </Wide>
  );
}

/** The farm's pin and boundary; of a farm that can't be loaded the pin that its card has. `isKnown`: there is no more to wait for. */
function useLand(farmUID: string) {
  const farm = useQuery(farmQuery(farmUID));
  const { data: cards } = useQuery(farmsCardQuery);
  const card = cards?.find(({ _id }) => _id === farmUID);
  return {
    land: farm.data ?? (card && { lat: card.lat, lng: card.lng, boundary: [] }),
    isKnown: farm.data !== undefined || farm.isError,
  };
}
