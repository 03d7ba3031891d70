import type { LatLng } from '@headrace/contract/schemas';

export const placeText = (place: LatLng | null): string => (place ? `${place.lat}, ${place.lng}` : '');

export const placeOf = ({ lat, lng }: { lat: number | null; lng: number | null }): LatLng | null =>
  lat === null || lng === null ? null : { lat, lng };

/** As it is sent: both numbers, or that there is none. */
export const sentPlace = (place: LatLng | null) => place ?? { lat: null, lng: null };
