import { useCallback, useEffect, useMemo } from 'react';
import type { FarmCard } from '@headrace/contract/farms';
import type { ImportRow } from '@headrace/contract/imports';
import { MAP } from '@headrace/contract/limits';
import type { Frame } from '../../map/canvas-layer.ts';
import { useMarkerClicks } from '../../map/map-effects.ts';
import { MapFrame } from '../../map/map-frame.tsx';
import type { MapMarker, MarkerShape } from '../../map/marker.ts';
import { useMapStage } from '../../map/use-map-stage.ts';
import { useSketch } from '../../map/use-sketch.ts';
import { useMapTiles } from '../../preferences/use-map-tiles.tsx';
import { actionLabels } from './import-labels.ts';
import { paintPlan } from './paint-plan.ts';

export interface PlanMapProps {
  farm: FarmCard;
  rows: readonly ImportRow[];
  isTicked: (row: ImportRow) => boolean;
  onTick: (row: ImportRow) => void;
}

/** Where each ticked row would put what it is about: with an arrow from where that stands, and the outlines of areas. */
export default function PlanMap({ farm, rows, isTicked, onTick }: PlanMapProps) {
  const placed = useMemo(
    () => rows.filter(({ action, place, ring }) => action !== 'left out' && (place ?? ring)),
    [rows],
  );
  const points = useMemo(
    () =>
      placed.flatMap(({ place, was, ring = [] }) => [
        ...(place ? [place] : []),
        ...(was ? [was] : []),
        ...ring,
      ]),
    [placed],
  );
  const tiles = useMapTiles();
  const stage = useMapStage({ boundary: NONE, points, centre: farm, zoom: MAP.farmZoom, tiles });
  const { layers, scheme } = stage;
  const markers = useMemo(
    () => placed.flatMap((row) => (row.place ? [markerOf(row, isTicked(row))] : [])),
    [placed, isTicked],
  );
  useEffect(() => layers?.markers.setMarkers(markers), [layers, markers]);
  const paint = useCallback(
    (frame: Frame) => paintPlan(frame, { rows: placed, isTicked, scheme }),
    [placed, isTicked, scheme],
  );
  useSketch(layers, paint);
  useMarkerClicks(layers, ([found]) => {
    const row = placed.find(({ row: n }) => String(n) === found?.id);
    if (row) onTick(row);
  });
  return <MapFrame label="Map of what the file would do" stage={stage} />;
}

const NONE: never[] = [];
const shapes: Readonly<Record<string, MarkerShape>> = {
  sprinkler: 'sprinkler',
  repeater: 'repeater',
  gateway: 'gateway',
  sensor: 'sensor',
};

/** Of no condition: how a device is has nothing to do with where the file puts it. */
function markerOf(
  { row, kind, name, place = { lat: 0, lng: 0 }, action }: ImportRow,
  isTicked: boolean,
): MapMarker {
  const shape = shapes[kind] ?? 'poi';
  return {
    id: String(row),
    ...place,
    shape,
    condition: shape === 'poi' ? 'poi' : 'inhibited',
    name,
    isFaint: !isTicked,
    spoken: `${actionLabels[action]} ${name}, ${isTicked ? 'ticked' : 'not ticked'}`,
  };
}
