import { useCallback, useEffect, useMemo } from 'react';
import { Button } from '@mantine/core';
import { IconMapPinOff } from '@tabler/icons-react';
import { MAP } from '@headrace/contract/limits';
import type { LatLng } from '@headrace/contract/schemas';
import type { Frame } from './canvas-layer.ts';
import { roundPlace } from './draft.ts';
import { HereButton } from './here-button.tsx';
import type { LocationPickerProps } from './location-picker.tsx';
import { MapFrame } from './map-frame.tsx';
import { BODY_UP_PX } from './marker-sprites.ts';
import { paintHeld } from './paint-held.ts';
import { PlaceFields } from './place-fields.tsx';
import { spreadMarkers } from './spread.ts';
import { useMapStage } from './use-map-stage.ts';
import { usePinTool } from './use-pin-tool.ts';
import { usePointerTool } from './use-pointer-tool.ts';
import { useSketch } from './use-sketch.ts';
import classes from './drawing.module.css';

type ViewProps = LocationPickerProps & { centre: LatLng; zoom: number };
const NONE: never[] = [];

export default function LocationPickerView(props: ViewProps) {
  const { label, value, onChange, shape, look, name = '', disabled = false, isProposed = false } = props;
  const { boundary = NONE, others = NONE } = props;
  const placed = useMemo(() => spreadMarkers(others), [others]);
  // Not the others, which come when they come: one farm has one view.
  const points = value ? [...boundary, value] : boundary;
  const { viewKey } = props;
  const stage = useMapStage({
    boundary,
    points,
    centre: props.centre,
    zoom: props.zoom,
    tiles: props.tiles,
    viewKey,
    start: viewKey !== undefined && value ? { centre: value, zoom: MAP.groupZoom } : null,
  });
  const { layers, scheme } = stage;
  const pin = usePinTool({ layers, pin: value, onMove: onChange, upPx: BODY_UP_PX[shape] });
  usePointerTool(layers, disabled ? null : pin.tool);
  useEffect(() => layers?.markers.setMarkers(placed), [layers, placed]);

  const at = pin.draft ?? value;
  const paint = useCallback(
    (frame: Frame) => {
      if (!at) return false;
      paintHeld(
        frame,
        {
          condition: shape === 'poi' ? 'poi' : 'inhibited',
          ...look,
          ...at,
          id: '',
          name,
          spoken: name,
          shape,
        },
        scheme,
        isProposed,
      );
      return true;
    },
    [at, name, shape, look, scheme, isProposed],
  );
  useSketch(layers, paint);
  useEffect(() => {
    // The next of a line may lie beyond the edge.
    if (isProposed && value) layers?.map.panInside(value, { padding: [60, 60] });
  }, [layers, isProposed, value]);
  const take = (place: LatLng | null) => {
    onChange(place && roundPlace(place));
    if (place) layers?.map.panTo(place);
  };
  return (
    <div className={classes.editor}>
      <div className={classes.box}>
        <MapFrame
          label={label}
          stage={stage}
          message={disabled ? null : (props.message ?? messageOf(at !== null, isProposed))}
        />
      </div>
      {!disabled && (
        <div className={classes.here}>
          {props.showsPlaceFields !== false && (
            <PlaceFields place={value} isOptional={!props.isRequired} onChange={take} />
          )}
          <HereButton onFound={take} />
          {value && !props.isRequired && (
            <Button
              variant="default"
              className={classes.action ?? ''}
              leftSection={<IconMapPinOff size={18} aria-hidden="true" />}
              onClick={() => onChange(null)}
            >
              No location
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

function messageOf(hasPlace: boolean, isProposed: boolean): string {
  if (isProposed) return 'Proposed: it carries the line on. Tap where it stands if that is elsewhere.';
  return hasPlace ? 'Tap the map or drag the marker to move it.' : 'Tap the map to set the place.';
}
