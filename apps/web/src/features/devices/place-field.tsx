import { useQuery } from '@tanstack/react-query';
import type { LatLng } from '@headrace/contract/schemas';
import { FieldGroup } from '../../forms/fields.tsx';
import type { FieldProps } from '../../forms/use-record-form.ts';
import { LocationPicker } from '../../map/location-picker.tsx';
import type { MarkerShape } from '../../map/marker.ts';
import { farmQuery } from '../farms/farms.queries.ts';
import { globalSettingsQuery } from '../settings/settings.queries.ts';
import { useOthersOnMap } from './others-on-map.ts';

export type PlaceFieldProps = FieldProps<LatLng | null> & {
  farmUID: string;
  shape: MarkerShape;
  /** Its id, when it has been saved before. */
  own: string | undefined;
  /** What stands beside it on the map. */
  device: string;
  required?: boolean | undefined;
};

/** Where a device is: on the map among the farm's others, or as numbers. */
export function PlaceField({ farmUID, shape, own, device, required = false, ...field }: PlaceFieldProps) {
  const { data: farm } = useQuery(farmQuery(farmUID));
  const { data: settings } = useQuery(globalSettingsQuery);
  const others = useOthersOnMap(farmUID, own);
  return (
    <FieldGroup name={field.name} label="Location" error={field.error} required={required}>
      <LocationPicker
        label={device ? `Location of ${device}` : 'Location'}
        value={field.value}
        onChange={(place) => {
          field.onChange(place);
          field.onBlur();
        }}
        shape={shape}
        name={device}
        boundary={farm?.boundary}
        others={others}
        centre={farm && { lat: farm.lat, lng: farm.lng }}
        tiles={settings && { url: settings.tileUrl, attribution: settings.tileAttribution }}
        isRequired={required}
      />
    </FieldGroup>
  );
}
