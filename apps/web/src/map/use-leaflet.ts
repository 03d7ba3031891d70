import { useEffect, useState, type RefObject } from 'react';
import L from 'leaflet';
import type { LatLng } from '@headrace/contract/schemas';
import { MAP } from '@headrace/contract/limits';
import type { Scheme } from '../ui/tokens.ts';
import { basemapsFor, type Basemap } from './basemap-data.ts';
import { boxOf, nearTo, padBox } from './geometry.ts';
import { LABEL_FONT, LabelLayer } from './label-layer.ts';
import { LandLayer } from './land-layer.ts';
import { mapPalettes } from './map-palette.ts';
import { MarkerLayer } from './marker-layer.ts';

export interface MapLayers {
  map: L.Map;
  land: LandLayer;
  labels: LabelLayer;
  markers: MarkerLayer;
}

const PANES = { land: 150, labels: 450, markers: 590, sketch: 610 } as const;
/** The padding of 0.007° is generous on a small farm; the view never starts closer than this. */
const FIT_MAX_ZOOM = 16;

/** The place as the map counts on over the date line: where it is seen. */
export const onMap = (map: L.Map, { lat, lng }: LatLng): LatLng => nearTo(map.getCenter().lng, { lat, lng });

function boundsOf(points: readonly LatLng[]): L.LatLngBounds | null {
  const box = boxOf(points);
  if (!box) return null;
  const { south, west, north, east } = padBox(box);
  return L.latLngBounds([south, west], [north, east]);
}

/** Shows all points with room around them; as close as `zoom` where that is closer and they all fit in there. */
export function fitPoints(
  map: L.Map,
  points: readonly LatLng[],
  { zoom, isAnimated }: { zoom: number; isAnimated: boolean },
): boolean {
  const box = boxOf(points);
  const padded = boundsOf(points);
  if (!box || !padded) return false;
  const bare = L.latLngBounds([box.south, box.west], [box.north, box.east]);
  const options = isAnimated ? { duration: 0.4 } : { animate: false };
  if (zoom > FIT_MAX_ZOOM && map.getBoundsZoom(bare) >= zoom) map.flyTo(bare.getCenter(), zoom, options);
  else map.flyToBounds(padded, { ...options, maxZoom: FIT_MAX_ZOOM });
  return true;
}

/** Makes the map once, with its land, labels and marker layers, and takes it away again. */
export function useLeaflet(
  container: RefObject<HTMLDivElement | null>,
  start: { centre: LatLng; zoom: number; points: readonly LatLng[]; scheme: Scheme },
): MapLayers | null {
  const [layers, setLayers] = useState<MapLayers | null>(null);
  useEffect(() => {
    const element = container.current;
    if (!element) return undefined;
    const made = createMap(element, start);
    const stopLand = followLand(made);
    const observer = new ResizeObserver(() => made.map.invalidateSize({ animate: false }));
    observer.observe(element);
    setLayers(made);
    return () => {
      observer.disconnect();
      stopLand();
      made.map.remove();
      setLayers(null);
    };
    // The map is made once; what changes later reaches it through its layers.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  return layers;
}

function createMap(
  element: HTMLDivElement,
  {
    centre,
    zoom,
    points,
    scheme,
  }: { centre: LatLng; zoom: number; points: readonly LatLng[]; scheme: Scheme },
): MapLayers {
  const map = L.map(element, {
    zoomControl: false,
    attributionControl: false,
    minZoom: 3,
    maxZoom: MAP.maxZoom,
    zoomSnap: 0.25,
    wheelPxPerZoomLevel: 90,
    maxBoundsViscosity: 0.6,
    renderer: L.canvas({ padding: 0.1 }),
    // A layer of its own for every tile: without a graphics card that takes most of a frame.
    fadeAnimation: false,
  });
  for (const [name, zIndex] of Object.entries(PANES)) map.createPane(name).style.zIndex = String(zIndex);
  map.setView(centre, zoom, { animate: false });
  fitPoints(map, points, { zoom, isAnimated: false });
  L.control.scale({ imperial: false, position: 'bottomleft', maxWidth: 110 }).addTo(map);
  const palette = mapPalettes[scheme];
  return {
    map,
    land: new LandLayer(palette, 'land').addTo(map),
    labels: new LabelLayer(palette, 'labels').addTo(map),
    markers: new MarkerLayer(scheme, 'markers').addTo(map),
  };
}

/** Loads the parts of the base map that the view meets, and redraws labels once their font is there. */
function followLand({ map, land, labels, markers }: MapLayers): () => void {
  const known = new Set<Basemap>();
  let isOver = false;
  const show = (basemap: Basemap | null) => {
    if (!basemap || isOver || known.has(basemap)) return;
    known.add(basemap);
    land.setBasemaps([...known]);
    labels.setBasemaps([...known]);
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
    await loadLabelFont();
    if (isOver) return;
    labels.redraw();
    markers.redraw();
  };
  void redrawInFont();
  return () => {
    isOver = true;
  };
}

async function loadLabelFont(): Promise<void> {
  try {
    await Promise.all([500, 600, 700].map((weight) => document.fonts.load(`${weight} 13px ${LABEL_FONT}`)));
  } catch {
    // The system's font does as well.
  }
}
