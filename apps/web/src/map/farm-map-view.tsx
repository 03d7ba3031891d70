import { useEffect, useMemo, useRef, useState } from 'react';
import type { FarmMapProps } from './farm-map.tsx';
import { useMarkerClicks, usePegman } from './map-effects.ts';
import { MapChooser } from './map-chooser.tsx';
import { MapFrame } from './map-frame.tsx';
import { MapPopup } from './map-popup.tsx';
import { MarkerList } from './marker-list.tsx';
import { MoveBar } from './move-bar.tsx';
import { spreadMarkers } from './spread.ts';
import { onMap } from './use-leaflet.ts';
import { useMarkerMoves } from './use-marker-moves.ts';
import { useMapStage } from './use-map-stage.ts';
import { useSeek } from './use-seek.ts';
import { myLocationTexts, useMyLocation } from './use-my-location.ts';

export default function FarmMapView(props: FarmMapProps) {
  const { label, boundary, centre, zoom, tiles, selected, onSelect, popup } = props;
  const [isTracking, setIsTracking] = useState(false);
  /** What lies on each other where the map was tapped: one of them is meant. */
  const [several, setSeveral] = useState<Markers>(NONE);
  const [focused, setFocused] = useState<string | null>(null);
  const markers = useSpread(props.markers);
  const stage = useMapStage({
    boundary,
    points: props.points ?? (boundary.length > 0 ? boundary : markers),
    centre,
    zoom,
    tiles,
    viewKey: props.viewKey,
  });
  const { layers } = stage;
  const location = useMyLocation(isTracking, boundary);
  const moving = props.move?.now ?? null;
  const marker = (moving ? null : markers.find(({ id }) => id === selected)) ?? null;

  const ringed = focused ?? (moving ? null : selected);

  usePegman(layers, location);
  const tapped = useRef<string | null>(null);
  const moves = useMarkerMoves({ layers, markers, moving, scheme: stage.scheme, onSeveral: setSeveral });
  const choose = (id: string | null) => {
    setSeveral(NONE);
    if (moving) {
      if (id !== null) moves.choose(id, moves.isSeveral);
      return;
    }
    tapped.current = id;
    onSelect(id);
  };
  useMarkerClicks(layers, (found) => {
    if (moving) return;
    const [only] = found;
    choose(found.length === 1 && only ? only.id : null);
    if (found.length > 1) setSeveral(found);
  });
  useSeek(layers, { marker, tapped, sought: props.sought });
  useEffect(() => layers?.markers.setMarkers(markers), [layers, markers]);
  useEffect(() => layers?.markers.setRinged(ringed), [layers, ringed]);

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
      message={moves.message ?? myLocationTexts[location.state]}
      zoomAround={marker}
      move={
        props.move && { isOn: moving !== null, toggle: moving ? moves.done : () => props.move?.onStart() }
      }
      location={
        boundary.length >= 3 ? { isOn: isTracking, toggle: () => setIsTracking((is) => !is) } : undefined
      }
      before={
        props.hasOwnList ? null : <MarkerList markers={markers} onFocus={focusMarker} onSelect={onSelect} />
      }
    >
      {moving && <MoveBar moves={moves} />}
      {layers && several[0] && (
        <MapPopup map={layers.map} marker={several[0]} onClose={() => setSeveral(NONE)}>
          <MapChooser markers={several} onChoose={choose} onClose={() => setSeveral(NONE)} />
        </MapPopup>
      )}
      {layers && marker && popup && several.length === 0 && (
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
const NONE: Markers = [];

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
