import type { ReactNode } from 'react';
import { MAP } from '@headrace/contract/limits';
import type { LatLng } from '@headrace/contract/schemas';
import { lazyPart } from '../ui/lazy-part.tsx';
import { mapPart } from './farm-map.tsx';
import type { MapMarker, MarkerShape } from './marker.ts';
import type { Tiles } from './use-map-stage.ts';
import classes from './drawing.module.css';

export interface LocationPickerProps {
  /** What it is the map of: "Location of sprinkler A12". */
  label: string;
  /** The device's place; null: none. */
  value: LatLng | null;
  /** A tap, the end of a drag, typed numbers, or this phone's position. null: taken away. */
  onChange: (place: LatLng | null) => void;
  shape: MarkerShape;
  /** How the device is, drawn as on all maps; without one it is new, and nobody has heard of it. */
  look?: Pick<MapMarker, 'condition' | 'fill' | 'sign'> | undefined;
  /** What stands beside the device on the map. */
  name?: string | undefined;
  /** The farm's boundary and its other devices: seen, not moved. */
  boundary?: readonly LatLng[] | undefined;
  others?: readonly MapMarker[] | undefined;
  /** Where to look when there is nothing else: the farm's place. */
  centre?: LatLng | undefined;
  zoom?: number | undefined;
  /** false: where to look isn't known yet. A tap on a map of somewhere else would be a place there. */
  isReady?: boolean | undefined;
  tiles?: Tiles | undefined;
  /** Said on the map in place of how a place is set. */
  message?: string | undefined;
  /** Nobody chose the place yet: it follows from the last two. */
  isProposed?: boolean | undefined;
  /** Under this is kept what the map shows: the next one begins there, or at its own place. */
  viewKey?: string | undefined;
  /** The place can't be taken away. */
  isRequired?: boolean | undefined;
  /** Latitude and longitude below the map. false: the form has fields of its own. */
  showsPlaceFields?: boolean | undefined;
  disabled?: boolean | undefined;
}

const boxed = (map: ReactNode) => <div className={classes.box}>{map}</div>;
const waiting = boxed(mapPart.waiting);
const View = lazyPart(() => import('./location-picker-view.tsx').then((m) => m.default), {
  ...mapPart,
  waiting,
  around: (said) => boxed(mapPart.around(said)),
});

/** A device's place on the farm: tap, drag, type, or stand there. Leaflet comes when it is first shown. */
export function LocationPicker({ isReady = true, ...props }: LocationPickerProps) {
  const { centre = MAP.centre, zoom = MAP.tankZoom } = props;
  return isReady ? <View {...props} centre={centre} zoom={zoom} /> : waiting;
}
