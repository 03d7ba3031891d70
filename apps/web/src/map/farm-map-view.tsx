import './leaflet.css';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useComputedColorScheme } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { boundaryWords, nextBoundaryMode, type BoundaryMode } from './boundary-mode.ts';
import { LAND_CREDITS, readCredits } from './attribution.ts';
import type { FarmMapProps } from './farm-map.tsx';
import { MapControls } from './map-controls.tsx';
import { useBoundary, useMarkerClicks, usePegman, useScheme, useTiles } from './map-effects.ts';
import { MapPopup } from './map-popup.tsx';
import { MarkerList } from './marker-list.tsx';
import { spread } from './spread.ts';
import { boundsOf, useLeaflet } from './use-leaflet.ts';
import { myLocationTexts, useMyLocation } from './use-my-location.ts';
import classes from './farm-map.module.css';

export default function FarmMapView(props: FarmMapProps) {
  const { label, boundary, centre, zoom, tiles, selected, onSelect, popup } = props;
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const [mode, setMode] = useLocalStorage<BoundaryMode>({
    key: 'headrace.map.boundary',
    defaultValue: 'area',
    getInitialValueInEffect: false,
  });
  const [isTracking, setIsTracking] = useState(false);
  const [focused, setFocused] = useState<string | null>(null);
  const container = useRef<HTMLDivElement>(null);
  const markers = useSpread(props.markers);
  const points = boundary.length > 0 ? boundary : markers;
  const layers = useLeaflet(container, { centre, zoom, points, scheme });
  const location = useMyLocation(isTracking, boundary);
  const marker = markers.find(({ id }) => id === selected) ?? null;

  useScheme(layers, scheme);
  useTiles(layers, tiles);
  useBoundary(layers, boundary, mode, scheme);
  usePegman(layers, location);
  useMarkerClicks(layers, onSelect);
  useEffect(() => layers?.markers.setMarkers(markers), [layers, markers]);
  useEffect(() => layers?.markers.setRinged(focused ?? selected), [layers, focused, selected]);

  const fit = () => {
    const bounds = boundsOf(points);
    if (bounds) layers?.map.flyToBounds(bounds, { duration: 0.4, maxZoom: 16 });
    else layers?.map.setView(centre, zoom);
  };
  /** Round the chosen marker, so that it stays where it is; else round the middle. */
  const zoomBy = (steps: number) => {
    const map = layers?.map;
    map?.setZoomAround(marker ?? map.getCenter(), map.getZoom() + steps);
  };
  const focusMarker = (id: string | null) => {
    setFocused(id);
    const found = markers.find((other) => other.id === id);
    if (found && layers && !layers.map.getBounds().contains(found)) layers.map.panTo(found);
  };
  const message = myLocationTexts[location.state];
  return (
    <section className={classes.map} aria-label={label}>
      <MarkerList markers={markers} onFocus={focusMarker} onSelect={onSelect} />
      <div
        ref={container}
        className={classes.canvas}
        role="application"
        aria-label={`${label}. Arrow keys move the map, plus and minus zoom.`}
      />
      {layers && marker && popup && (
        <MapPopup map={layers.map} marker={marker} onClose={() => onSelect(null)}>
          {popup}
        </MapPopup>
      )}
      <MapControls
        onZoomIn={() => zoomBy(1)}
        onZoomOut={() => zoomBy(-1)}
        onFit={fit}
        boundary={boundary.length >= 3 ? boundaryWords[mode] : null}
        onBoundary={() => setMode(nextBoundaryMode)}
        isTracking={isTracking}
        onTrack={boundary.length >= 3 ? () => setIsTracking((is) => !is) : undefined}
      />
      <output className={classes.message}>{message}</output>
      <Attribution attribution={tiles?.url ? tiles.attribution : ''} />
    </section>
  );
}

/** Devices that share a place are moved apart; a marker that didn't change stays the same object. */
function useSpread(given: Markers): Markers {
  const [place] = useState(createPlacer);
  return useMemo(() => place(given), [place, given]);
}

type Markers = FarmMapProps['markers'];

function createPlacer(): (given: Markers) => Markers {
  let known = new Map<string, Markers[number]>();
  return (given) => {
    const placed = spread(given).map((marker) => {
      const old = known.get(marker.id);
      return old && isSameMarker(old, marker) ? old : marker;
    });
    known = new Map(placed.map((marker) => [marker.id, marker]));
    return placed;
  };
}

function isSameMarker(a: Markers[number], b: Markers[number]): boolean {
  return (
    a.lat === b.lat &&
    a.lng === b.lng &&
    a.condition === b.condition &&
    a.name === b.name &&
    a.fill === b.fill &&
    a.value === b.value &&
    a.spoken === b.spoken
  );
}

function Attribution({ attribution }: { attribution: string }) {
  const credits = useMemo(() => [...readCredits(attribution), ...LAND_CREDITS], [attribution]);
  return (
    <small className={classes.attribution}>
      {credits.map(({ text, href }, index) => (
        <span key={text}>
          {index > 0 && ' · '}
          {href ? (
            <a href={href} target="_blank" rel="noreferrer">
              {text}
            </a>
          ) : (
            text
          )}
        </span>
      ))}
    </small>
  );
}
