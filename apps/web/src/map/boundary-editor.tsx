import type { ReactNode } from 'react';
import { MAP } from '@headrace/contract/limits';
import type { LatLng } from '@headrace/contract/schemas';
import { lazyPart } from '../ui/lazy-part.tsx';
import { mapPart } from './farm-map.tsx';
import type { Tiles } from './use-map-stage.ts';
import classes from './drawing.module.css';

/** Pin moves the farm's place; Drawable draws its boundary. */
export type EditorMode = 'Pin' | 'Drawable';

export interface BoundaryEditorProps {
  /** What it is the map of: "Boundary of Rākaia Downs". */
  label: string;
  /** The farm's place; null: none yet. */
  pin: LatLng | null;
  onPinChange: (pin: LatLng) => void;
  /** Corners in order; the last need not repeat the first. */
  boundary: readonly LatLng[];
  /** After each finished step: a tap, the end of a drag, undo. */
  onBoundaryChange: (boundary: LatLng[]) => void;
  /** Where to look when there is neither pin nor boundary. */
  centre?: LatLng | undefined;
  zoom?: number | undefined;
  /** A place that was chosen or typed elsewhere: each new one comes into view, close enough to draw round it. */
  lookAt?: LatLng | null | undefined;
  tiles?: Tiles | undefined;
  /** Absent: the editor keeps its own mode, from Pin on. */
  mode?: EditorMode | undefined;
  onModeChange?: ((mode: EditorMode) => void) | undefined;
  /** Latitude and longitude below the map. false: the form has fields of its own. */
  showsPlaceFields?: boolean | undefined;
  disabled?: boolean | undefined;
}

const boxed = (map: ReactNode) => <div className={classes.box}>{map}</div>;
const View = lazyPart(() => import('./boundary-editor-view.tsx').then((m) => m.default), {
  ...mapPart,
  waiting: boxed(mapPart.waiting),
  around: (said) => boxed(mapPart.around(said)),
});

/**
 * The farm form's map. It is controlled: what it shows is what its owner holds. It says area, number of points and what is
 * wrong with the boundary itself, by the rules of the farm form. Leaflet comes when it is first shown.
 */
export function BoundaryEditor({ centre = MAP.centre, zoom = MAP.zoom, ...props }: BoundaryEditorProps) {
  return <View {...props} centre={centre} zoom={zoom} />;
}
