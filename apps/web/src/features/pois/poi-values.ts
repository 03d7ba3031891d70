import type { Poi, PoiIcon } from '@headrace/contract/pois';
import type { FieldLabels } from '../../forms/conflict-dialog.tsx';
import type { LatLng } from '@headrace/contract/schemas';
import type { FieldErrors } from '../../forms/use-record-form.ts';
import { validateEntries } from '../devices/device-values.ts';
import { placeText } from '../../device-records/place-text.ts';
import { iconText, isIcon } from '../../device-records/poi-icons.ts';

/** What the form of a point of interest holds. */
export interface PoiValues {
  name: string;
  description: string;
  icon: PoiIcon;
  place: LatLng | null;
}

export const newPoi: PoiValues = { name: '', description: '', icon: 'pin', place: null };

export const valuesOf = ({ name, description, icon, lat, lng }: Poi): PoiValues => ({
  name,
  description,
  icon: isIcon(icon) ? icon : 'pin',
  place: { lat, lng },
});

/** What is sent. Rules have seen to it that there is a place. */
export const entryOf = ({ name, description, icon, place }: PoiValues) => ({
  name: name.trim(),
  description: description.trim(),
  icon,
  lat: place?.lat ?? 0,
  lng: place?.lng ?? 0,
});

export const validatePoi = (values: PoiValues): FieldErrors => validateEntries('poi', values);

export const poiLabels: FieldLabels<PoiValues> = {
  name: { label: 'Name' },
  description: { label: 'Description' },
  icon: { label: 'Kind', text: iconText },
  place: { label: 'Location', text: placeText },
};
