import type { ClipboardEvent } from 'react';
import { all, atLeast, atMost, isNumber, required } from '@headrace/contract/rules/form-rules';
import type { LatLng } from '@headrace/contract/schemas';
import { readCoordinate, readPair } from './place-text.ts';

export interface EnteredPlace {
  lat: string;
  lng: string;
}
export type PlaceErrors = Partial<Record<keyof EnteredPlace, string>>;

const rule = (label: string, most: number) =>
  all(isNumber(label), atLeast(label, -most, '°'), atMost(label, most, '°'));
const latitude = rule('Latitude', 90);
const longitude = rule('Longitude', 180);

export const placeText = (place: LatLng | null): EnteredPlace =>
  place ? { lat: String(place.lat), lng: String(place.lng) } : { lat: '', lng: '' };

const isBlank = (text: string) => text.trim() === '';

/** What is wrong with a typed place. Where none is needed both may be blank. */
export function validatePlace({ lat, lng }: EnteredPlace, isNeeded: boolean): PlaceErrors {
  if (!isNeeded && isBlank(lat) && isBlank(lng)) return {};
  const fieldErrors = {
    lat: isBlank(lat) ? required('Latitude')('') : latitude(lat),
    lng: isBlank(lng) ? required('Longitude')('') : longitude(lng),
  };
  return Object.fromEntries(Object.entries(fieldErrors).filter(([, sentence]) => sentence !== null));
}

/** The typed place; null when it is blank. Only of what there is no validation error about. */
export function readPlace({ lat, lng }: EnteredPlace): LatLng | null {
  return isBlank(lat) || isBlank(lng) ? null : { lat: Number(lat), lng: Number(lng) };
}

/** What was entered in degrees and decimals: either box may hold a pair, or a coordinate written in another way. */
export function tidyPlace({ lat, lng }: EnteredPlace): EnteredPlace {
  return (
    readPair(lat) ?? readPair(lng) ?? { lat: readCoordinate(lat, 'lat'), lng: readCoordinate(lng, 'lng') }
  );
}

/** The pair that is pasted into one of a place's boxes, for both; null: the box itself takes what it is. */
export function pastedPair(event: ClipboardEvent): EnteredPlace | null {
  const pair = readPair(event.clipboardData.getData('text'));
  if (pair) event.preventDefault();
  return pair;
}
