import { useEffect, useRef, useState, type RefObject } from 'react';
import L from 'leaflet';
import type { LatLng } from '@headrace/contract/schemas';
import { MAP } from '@headrace/contract/limits';
import { afterPaint } from '../ui/after-paint.ts';
import { nextTask } from '../ui/next-task.ts';
import type { Scheme } from '../ui/tokens.ts';
import { basemapsFor, type Basemap } from './basemap-data.ts';
import { fitPlaces, scaleAt, zoomAt, type Margins } from './fit.ts';
import { nearTo } from './geometry.ts';
import type { MapView } from './kept-view.ts';
import { LABEL_FONT, LabelLayer } from './label-layer.ts';
import { LandLayer } from './land-layer.ts';
import { mapPalettes } from './map-palette.ts';
import { MarkerLayer } from './marker-layer.ts';

export interface MapLayers {
  map: L.Map;
  land: LandLayer;
  labels: LabelLayer;
  markers: MarkerLayer;
  /** It began where it was left. */
  isKept: boolean;
}

const PANES = { land: 150, labels: 450, markers: 590, sketch: 610 } as const;

/** The place as the map counts on over the date line: where it is seen. */
export const onMap = (map: L.Map, { lat, lng }: LatLng): LatLng => nearTo(map.getCenter().lng, { lat, lng });

/** Room for a marker at every side; at the right for the map's buttons, below for scale and credits, of two lines on a phone. */
const MARGINS: Margins = { top: 44, right: 64, bottom: 56, left: 24 };
/** Places with any extent are seen no closer than this: units ten metres apart can be told from each other. */
const FIT_MAX_ZOOM = 18;
const ZOOM_STEP = 0.25;
const inSteps = (scale: number) => scaleAt(Math.floor(zoomAt(scale) / ZOOM_STEP) * ZOOM_STEP);

/** Stands in for a map that has no size yet, px. */
const UNSEEN = { width: 1000, height: 700 };

/** Fills the map with all points; a single one is seen in its middle at `zoom`. False: there is none. */
export function fitPoints(
  map: L.Map,
  points: readonly LatLng[],
  { zoom, isAnimated }: { zoom: number; isAnimated: boolean },
): boolean {
  const view = viewOf(map, points, zoom);
  if (!view) return false;
  if (isAnimated) map.flyTo(view.centre, view.zoom, { duration: 0.4 });
  else map.setView(view.centre, view.zoom, { animate: false });
  return true;
}

function viewOf(map: L.Map, points: readonly LatLng[], zoom: number): MapView | null {
  const [first] = points;
  if (first && points.every(({ lat, lng }) => lat === first.lat && lng === first.lng))
    return { centre: first, zoom };
  const { x: width, y: height } = map.getSize();
  const size = width > 0 && height > 0 ? { width, height } : UNSEEN;
  const fit = fitPlaces(points, { size, margins: MARGINS, maxScale: scaleAt(FIT_MAX_ZOOM), snap: inSteps });
  return (
    fit && {
      centre: map.unproject([fit.x * scaleAt(0), fit.y * scaleAt(0)], 0),
      zoom: zoomAt(fit.scale),
    }
  );
}

interface MapStart {
  centre: LatLng;
  zoom: number;
  points: readonly LatLng[];
  scheme: Scheme;
  /** Where it was left. */
  kept: MapView | undefined;
}

/** Makes the map once, after its page is painted, with its land, labels and marker layers, and takes it away again. */
export function useLeaflet(container: RefObject<HTMLDivElement | null>, start: MapStart): MapLayers | null {
  const [layers, setLayers] = useState<MapLayers | null>(null);
  const newest = useRef(start);
  useEffect(() => {
    newest.current = start;
  });
  useEffect(() => {
    let takeAway: (() => void) | undefined;
    const make = () => {
      const element = container.current;
      if (!element) return;
      const made = createMap(element, newest.current);
      takeAway = keepUp(made, element);
      setLayers(made);
    };
    const cancel = afterPaint(() => {
      try {
        make();
      } catch (fault) {
        // The page's error boundary tells of it, as of what fails while it is drawn.
        setLayers(() => {
          throw fault;
        });
      }
    });
    return () => {
      cancel();
      takeAway?.();
      setLayers(null);
    };
  }, [container]);
  return layers;
}

/** Loads its land and follows the size of its box, until the map is taken away. */
function keepUp(made: MapLayers, element: HTMLElement): () => void {
  const stopLand = followLand(made);
  const observer = new ResizeObserver(() => made.map.invalidateSize({ animate: false }));
  observer.observe(element);
  return () => {
    observer.disconnect();
    stopLand();
    made.map.remove();
  };
}

function createMap(element: HTMLDivElement, { centre, zoom, points, scheme, kept }: MapStart): MapLayers {
  const map = L.map(element, {
    zoomControl: false,
    attributionControl: false,
    minZoom: 3,
    maxZoom: MAP.maxZoom,
    zoomSnap: ZOOM_STEP,
    wheelPxPerZoomLevel: 90,
    maxBoundsViscosity: 0.6,
    renderer: L.canvas({ padding: 0.1 }),
    // A layer of its own for every tile: without a graphics card that takes most of a frame.
    fadeAnimation: false,
  });
  for (const [name, zIndex] of Object.entries(PANES)) map.createPane(name).style.zIndex = String(zIndex);
  map.setView(kept?.centre ?? centre, kept?.zoom ?? zoom, { animate: false });
  if (!kept) fitPoints(map, points, { zoom, isAnimated: false });
  L.control.scale({ imperial: false, position: 'bottomleft', maxWidth: 110 }).addTo(map);
  const palette = mapPalettes[scheme];
  return {
    map,
    land: new LandLayer(palette, 'land'),
    labels: new LabelLayer(palette, 'labels').addTo(map),
    markers: new MarkerLayer(scheme, 'markers').addTo(map),
    isKept: kept !== undefined,
  };
}

/** Adds the land's tiles once the map is there, loads the parts of the base map that the view meets, and redraws labels once their font is there. */
function followLand({ map, land, labels, markers }: MapLayers): () => void {
  const known = new Set<Basemap>();
  let isOver = false;
  const late = setTimeout(() => land.addTo(map));
  const show = async (basemap: Basemap | null) => {
    if (!basemap || known.has(basemap)) return;
    known.add(basemap);
    for (const layer of [land, labels]) {
      await nextTask();
      if (!isOver) layer.setBasemaps([...known]);
    }
  };
  const look = () => {
    const view = map.getBounds();
    const box = {
      west: view.getWest(),
      east: view.getEast(),
      south: view.getSouth(),
      north: view.getNorth(),
    };
    for (const promise of basemapsFor(box)) void promise.then(show);
  };
  map.on('moveend', look);
  look();
  const redrawInFont = async () => {
    if (isLabelFontThere()) return;
    await loadLabelFont();
    if (isOver) return;
    labels.redraw();
    markers.redraw();
  };
  void redrawInFont();
  return () => {
    isOver = true;
    clearTimeout(late);
  };
}

const labelFonts = [500, 600, 700].map((weight) => `${weight} 13px ${LABEL_FONT}`);

/** A browser that can't tell has it not. */
function isLabelFontThere(): boolean {
  try {
    return labelFonts.every((font) => document.fonts.check(font));
  } catch {
    return false;
  }
}

async function loadLabelFont(): Promise<void> {
  try {
    await Promise.all(labelFonts.map((font) => document.fonts.load(font)));
  } catch {
    // The system's font does as well.
  }
}
