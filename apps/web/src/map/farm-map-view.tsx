import { useEffect, useMemo, useState } from 'react';
import type { FarmMapProps } from './farm-map.tsx';
import { useMarkerClicks, usePegman } from './map-effects.ts';
import { MapFrame } from './map-frame.tsx';
import { MapPopup } from './map-popup.tsx';
import { MarkerList } from './marker-list.tsx';
import { spreadMarkers } from './spread.ts';
import { onMap } from './use-leaflet.ts';
import { useMapStage } from './use-map-stage.ts';
import { myLocationTexts, useMyLocation } from './use-my-location.ts';

export default function FarmMapView(props: FarmMapProps) {
  const { label, boundary, centre, zoom, tiles, selected, onSelect, popup } = props;
  const [isTracking, setIsTracking] = useState(false);
  const [focused, setFocused] = useState<string | null>(null);
  const markers = useSpread(props.markers);
  const stage = useMapStage({
    boundary,
    points: props.points ?? (boundary.length > 0 ? boundary : markers),
    centre,
    zoom,
    tiles,
  });
  const { layers } = stage;
  const location = useMyLocation(isTracking, boundary);
  const marker = markers.find(({ id }) => id === selected) ?? null;

  usePegman(layers, location);
  useMarkerClicks(layers, onSelect);
  useEffect(() => layers?.markers.setMarkers(markers), [layers, markers]);
  useEffect(() => layers?.markers.setRinged(focused ?? selected), [layers, focused, selected]);

  const focusMarker = (id: string | null) => {
    setFocused(id);
    const found = markers.find((other) => other.id === id);
    const place = found && layers && onMap(layers.map, found);
    if (place && !layers.map.getBounds().contains(place)) layers.map.panTo(place);
  };
  return (
    <MapFrame
      label={label}
      stage={stage}
      message={myLocationTexts[location.state]}
      zoomAround={marker}
      location={
        boundary.length >= 3 ? { isOn: isTracking, toggle: () => setIsTracking((is) => !is) } : undefined
      }
      before={
        props.hasOwnList ? null : <MarkerList markers={markers} onFocus={focusMarker} onSelect={onSelect} />
      }
    >
      {layers && marker && popup && (
        <MapPopup map={layers.map} marker={marker} onClose={() => onSelect(null)}>
          {popup}
        </MapPopup>
      )}
    </MapFrame>
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
    const placed = spreadMarkers(given).map((marker) => {
      const old = known.get(marker.id);
      return old && isSameMarker(old, marker) ? old : marker;
    });
    known = new Map(placed.map((marker) => [marker.id, marker]));
    return placed;
  };
}

function isSameMarker(a: Markers[number], b: Markers[number]): boolean {
  return (
    a === b ||
    (a.lat === b.lat &&
      a.lng === b.lng &&
      a.condition === b.condition &&
      a.name === b.name &&
      a.fill === b.fill &&
      a.value === b.value &&
      a.isFaint === b.isFaint &&
      a.spoken === b.spoken)
  );
}
