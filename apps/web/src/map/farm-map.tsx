import type { ReactNode } from 'react';
import type { LatLng } from '@headrace/contract/schemas';
import { Loader } from '@mantine/core';
import { lazyPart } from '../ui/lazy-part.tsx';
import type { MapMarker } from './marker.ts';
import type { Moving } from './moving.ts';
import type { Sought } from './use-seek.ts';
import type { Tiles } from './use-map-stage.ts';
import classes from './farm-map.module.css';

export type { Sought, Tiles };

export interface FarmMapProps {
  /** What the map shows: "Tanks of Rakaia Downs". */
  label: string;
  markers: readonly MapMarker[];
  boundary: readonly LatLng[];
  /** Where to look when there is neither boundary nor marker. */
  centre: LatLng;
  zoom: number;
  tiles?: Tiles | undefined;
  selected: string | null;
  /** A marker was chosen, or null: its popup was closed. */
  onSelect: (id: string | null) => void;
  /** What stands in the selected marker's popup. */
  popup?: ReactNode;
  /** What is in sight at first: without it the boundary, else the markers. */
  points?: readonly LatLng[] | undefined;
  /** Under this is kept what the map shows: made anew with it, the map begins there. */
  viewKey?: string | undefined;
  /** What was chosen in the page's list; absent: the map stays where it is, whatever is chosen. */
  sought?: Sought | null | undefined;
  /** How markers are moved on it; absent: they can't be. `now`: they are being moved. */
  move?: { now: Moving | null; onStart: () => void } | undefined;
  /** The page lists the markers itself, for the keyboard too. */
  hasOwnList?: boolean | undefined;
}

/** How a map's code comes, and what is said in its place where it doesn't. */
export const mapPart = {
  failed: "The map couldn't be loaded",
  waiting: <MapSpinner />,
  around: (said: ReactNode) => <MapSpinner isOver>{said}</MapSpinner>,
};

const View = lazyPart<FarmMapProps>(() => import('./farm-map-view.tsx').then((m) => m.default), mapPart);

/** The farm's map. Leaflet and the land come when it is first shown. */
export function FarmMap(props: FarmMapProps) {
  return <View {...props} />;
}

/** The map's place while it isn't there. `children` say why; nothing turns when it `isOver`: it won't come by itself. */
export function MapSpinner({ children, isOver = false }: { children?: ReactNode; isOver?: boolean }) {
  return (
    <div className={classes.spinner} aria-busy={!isOver}>
      {!isOver && (
        <output className={classes.spinnerBox}>
          <Loader size="lg" aria-hidden="true" />
          <span className={classes.spoken}>Loading the map</span>
        </output>
      )}
      {children}
    </div>
  );
}
