import { all, atLeast, atMost, isNumber, required } from '@headrace/contract/rules/form-rules';
import type { LatLng } from '@headrace/contract/schemas';

export interface EnteredPlace {
  lat: string;
  lng: string;
}
export type PlaceComplaints = Partial<Record<keyof EnteredPlace, string>>;

const rule = (label: string, most: number) =>
  all(isNumber(label), atLeast(label, -most, '°'), atMost(label, most, '°'));
const latitude = rule('Latitude', 90);
const longitude = rule('Longitude', 180);

export const placeText = (place: LatLng | null): EnteredPlace =>
  place ? { lat: String(place.lat), lng: String(place.lng) } : { lat: '', lng: '' };

const isBlank = (text: string) => text.trim() === '';

/** What is wrong with a typed place. Where none is needed both may be blank. */
export function complainOfPlace({ lat, lng }: EnteredPlace, isNeeded: boolean): PlaceComplaints {
  if (!isNeeded && isBlank(lat) && isBlank(lng)) return {};
  const complaints = {
    lat: isBlank(lat) ? required('Latitude')('') : latitude(lat),
    lng: isBlank(lng) ? required('Longitude')('') : longitude(lng),
  };
  return Object.fromEntries(Object.entries(complaints).filter(([, sentence]) => sentence !== null));
}

/** The typed place; null when it is blank. Only of what there is no complaint about. */
export function readPlace({ lat, lng }: EnteredPlace): LatLng | null {
  return isBlank(lat) || isBlank(lng) ? null : { lat: Number(lat), lng: Number(lng) };
}

/** Both numbers of a pasted pair: "-43.75, 172.02", as other maps copy it. */
export function readPair(text: string): EnteredPlace | null {
  const pair = /^\s*([-+−]?\d+(?:\.\d+)?)°?\s*[,;\s]\s*([-+−]?\d+(?:\.\d+)?)°?\s*$/.exec(text);
  const [, lat, lng] = pair ?? [];
  if (lat === undefined || lng === undefined) return null;
  return { lat: lat.replace('−', '-'), lng: lng.replace('−', '-') };
}
