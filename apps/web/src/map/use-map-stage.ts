import { useRef, type ReactNode, type RefObject } from 'react';
import { useComputedColorScheme } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import type { LatLng } from '@headrace/contract/schemas';
import type { Scheme } from '../ui/tokens.ts';
import { nextBoundaryMode, type BoundaryMode } from './boundary-mode.ts';
import { beginning, keptView, type MapView, useKeptView } from './kept-view.ts';
import { useBoundary, useScheme } from './map-effects.ts';
import { useImagery, type ImageryState } from './use-imagery.ts';
import { fitPoints, useLeaflet, type MapLayers } from './use-leaflet.ts';

export interface Tiles {
  /** Template with {z}, {x}, {y}, or that of a WMTS; empty: none configured. */
  url: string;
  attribution: string;
  /** Beyond it tiles are stretched. */
  maxZoom: number;
  /** Stands beside the credits while there are none. */
  hint?: ReactNode;
}

export interface StageProps {
  boundary: readonly LatLng[];
  /** Whether the boundary is shown as the person chose; false: somebody else draws it. */
  showsBoundary?: boolean | undefined;
  /** What is in sight at first and when all is asked for. */
  points: readonly LatLng[];
  /** Where to look when there is no such point. */
  centre: LatLng;
  zoom: number;
  tiles?: Tiles | undefined;
  /** Under this is kept what the map shows: made anew with it, the map begins there. */
  viewKey?: string | undefined;
  /** A place to begin at, no farther than at this zoom; rather than where the map was left. */
  start?: MapView | null | undefined;
}

export interface MapStage {
  container: RefObject<HTMLDivElement | null>;
  layers: MapLayers | null;
  scheme: Scheme;
  boundary: { mode: BoundaryMode; next: () => void } | null;
  tiles: Tiles | undefined;
  imagery: ImageryState;
  fit: () => void;
  /** Round a place, so that it stays where it is; else round the middle. */
  zoomBy: (steps: number, around?: LatLng | null) => void;
}

/** The map that every screen has: land or tiles, boundary, a view on what matters. */
export function useMapStage(props: StageProps): MapStage {
  const { boundary, showsBoundary = true, points, centre, zoom, tiles, viewKey } = props;
  const container = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const [mode, setMode] = useLocalStorage<BoundaryMode>({
    key: 'headrace.map.boundary',
    defaultValue: 'area',
    getInitialValueInEffect: false,
  });
  const layers = useLeaflet(container, {
    centre,
    zoom,
    points,
    scheme,
    kept: beginning(props.start, keptView(viewKey)),
  });
  useKeptView(layers?.map, viewKey);
  useScheme(layers, scheme);
  const imagery = useImagery(layers, tiles);
  useBoundary(layers, boundary, showsBoundary ? mode : 'hidden', scheme);
  return {
    container,
    layers,
    scheme,
    tiles,
    imagery,
    boundary: showsBoundary && boundary.length >= 3 ? { mode, next: () => setMode(nextBoundaryMode) } : null,
    fit: () => {
      if (layers && !fitPoints(layers.map, points, { zoom, isAnimated: true }))
        layers.map.setView(centre, zoom);
    },
    zoomBy: (steps, around) => {
      const map = layers?.map;
      map?.setZoomAround(around ?? map.getCenter(), map.getZoom() + steps);
    },
  };
}
