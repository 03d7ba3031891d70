import { toNumber } from '@headrace/contract/rules/farm-form';
import type { LatLng } from '@headrace/contract/schemas';
import { BoundaryEditor, type EditorMode } from '../../map/boundary-editor.tsx';
import { useMapTiles } from '../../preferences/use-map-tiles.tsx';
import type { EnteredPlace } from './farm-values.ts';

export interface FarmMapFieldProps {
  place: EnteredPlace;
  boundary: readonly LatLng[];
  onPlace: (place: LatLng) => void;
  onBoundary: (boundary: readonly LatLng[]) => void;
  /** A place that the map is to show. */
  lookAt?: LatLng | null | undefined;
  /** What the map changes; absent: it keeps that itself. */
  mode?: EditorMode | undefined;
  onMode?: ((mode: EditorMode) => void) | undefined;
}

/** The map of the farm form: moves the pin, draws the boundary. */
export function FarmMapField(props: FarmMapFieldProps) {
  const { place, boundary, onPlace, onBoundary, lookAt, mode, onMode } = props;
  const tiles = useMapTiles({ hasHint: true });
  return (
    <BoundaryEditor
      label="Map of the farm"
      pin={pinOf(place)}
      onPinChange={onPlace}
      boundary={boundary}
      onBoundaryChange={onBoundary}
      lookAt={lookAt}
      tiles={tiles}
      mode={mode}
      onModeChange={onMode}
      showsPlaceFields={false}
    />
  );
}

/** Where the pin stands: nowhere while its coordinates aren't both entered. Zero counts as not entered, as in the rules. */
export function pinOf(place: EnteredPlace): LatLng | null {
  const [lat, lng] = [toNumber(place.lat), toNumber(place.lng)];
  const isPlace = lat !== 0 && lng !== 0 && Math.abs(lat) <= 90 && Math.abs(lng) <= 180;
  return isPlace ? { lat, lng } : null;
}
