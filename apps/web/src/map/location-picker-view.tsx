import { useCallback, useEffect, useMemo } from 'react';
import { Button } from '@mantine/core';
import { IconMapPinOff } from '@tabler/icons-react';
import type { LatLng } from '@headrace/contract/schemas';
import type { Frame } from './canvas-layer.ts';
import { roundPlace } from './draft.ts';
import { HereButton } from './here-button.tsx';
import type { LocationPickerProps } from './location-picker.tsx';
import { MapFrame } from './map-frame.tsx';
import type { MapMarker } from './marker.ts';
import { BODY_UP_PX, spriteOf } from './marker-sprites.ts';
import { PlaceFields } from './place-fields.tsx';
import { spreadMarkers } from './spread.ts';
import { useMapStage } from './use-map-stage.ts';
import { usePinTool } from './use-pin-tool.ts';
import { usePointerTool } from './use-pointer-tool.ts';
import { useSketch } from './use-sketch.ts';
import { mapPalettes } from './map-palette.ts';
import classes from './drawing.module.css';

type ViewProps = LocationPickerProps & { centre: LatLng; zoom: number };
const NONE: never[] = [];

export default function LocationPickerView(props: ViewProps) {
  const { label, value, onChange, shape, name = '', disabled = false } = props;
  const { boundary = NONE, others = NONE } = props;
  const placed = useMemo(() => spreadMarkers(others), [others]);
  const points = boundary.length > 0 ? boundary : value ? [value, ...placed] : placed;
  const stage = useMapStage({ boundary, points, centre: props.centre, zoom: props.zoom, tiles: props.tiles });
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
        { ...at, id: '', name, spoken: name, shape, condition: shape === 'poi' ? 'poi' : 'ok' },
        scheme,
      );
      return true;
    },
    [at, name, shape, scheme],
  );
  useSketch(layers, paint);
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
          message={
            disabled
              ? null
              : at
                ? 'Tap the map or drag the marker to move it.'
                : 'Tap the map to set the place.'
          }
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

/** The device that is being placed: its marker in a ring, larger than the others. */
function paintHeld(frame: Frame, marker: MapMarker, scheme: 'light' | 'dark'): void {
  const { context } = frame;
  const { x, y } = frame.place(marker.lat, marker.lng);
  const sprite = spriteOf(marker, scheme);
  context.beginPath();
  context.arc(x, y - BODY_UP_PX[marker.shape], 22, 0, Math.PI * 2);
  context.fillStyle = scheme === 'light' ? 'rgb(11 114 133 / 22%)' : 'rgb(92 207 224 / 26%)';
  context.fill();
  context.lineWidth = 2.5;
  context.strokeStyle = mapPalettes[scheme].boundary;
  context.stroke();
  context.drawImage(sprite.canvas, x - sprite.anchorX, y - sprite.anchorY, sprite.size, sprite.size);
}
