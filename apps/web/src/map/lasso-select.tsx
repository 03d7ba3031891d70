import { MAP } from '@headrace/contract/limits';
import type { LatLng } from '@headrace/contract/schemas';
import { lazyPart } from '../ui/lazy-part.tsx';
import { mapPart } from './farm-map.tsx';
import type { MapMarker } from './marker.ts';
import type { Tiles } from './use-map-stage.ts';

export interface LassoSelectProps {
  /** What it is the map of: "Devices of group North". */
  label: string;
  /** Devices that can be chosen. Those without a place are `placeless`. */
  markers: readonly MapMarker[];
  /** Devices without a place: in the list alone. */
  placeless?: readonly Pick<MapMarker, 'id' | 'name' | 'condition' | 'spoken'>[] | undefined;
  /** Seen, but not chosen. */
  others?: readonly MapMarker[] | undefined;
  chosen: ReadonlySet<string>;
  /** All that are chosen now. */
  onChange: (chosen: ReadonlySet<string>) => void;
  boundary?: readonly LatLng[] | undefined;
  /** What is in sight at first: without it the boundary, else the devices. */
  points?: readonly LatLng[] | undefined;
  centre?: LatLng | undefined;
  zoom?: number | undefined;
  tiles?: Tiles | undefined;
  disabled?: boolean | undefined;
}

const View = lazyPart(() => import('./lasso-select-view.tsx').then((m) => m.default), mapPart);

/**
 * Devices chosen on the map: one by one with taps, many with a lasso, a rectangle or a polygon, to add or to remove; for the
 * keyboard there is a list. It fills its parent. Leaflet comes when it is first shown.
 */
export function LassoSelect({ centre = MAP.centre, zoom = MAP.tankZoom, ...props }: LassoSelectProps) {
  return <View {...props} centre={centre} zoom={zoom} />;
}
