import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { LatLng } from '@headrace/contract/schemas';
import { ConditionDot } from '../ui/condition-dot.tsx';
import type { BoundaryEditorProps, EditorMode } from './boundary-editor.tsx';
import { BoundaryFacts } from './boundary-facts.tsx';
import { BoundaryTools } from './boundary-tools.tsx';
import { CornerList } from './corner-list.tsx';
import { crossings, roundPlace, withoutCorner } from './draft.ts';
import { HereButton } from './here-button.tsx';
import { MapFrame } from './map-frame.tsx';
import { boundarySentence } from './boundary-sentence.ts';
import { paintPin, paintRing } from './paint-ring.ts';
import { PlaceFields } from './place-fields.tsx';
import { fitPoints, type MapLayers, onMap } from './use-leaflet.ts';
import { usePinTool } from './use-pin-tool.ts';
import { usePointerTool } from './use-pointer-tool.ts';
import { useRingHistory } from './use-ring-history.ts';
import { useRingTool } from './use-ring-tool.ts';
import { useMapStage } from './use-map-stage.ts';
import { useSketch } from './use-sketch.ts';
import type { Frame } from './canvas-layer.ts';
import classes from './drawing.module.css';

type ViewProps = BoundaryEditorProps & { centre: LatLng; zoom: number };
const NO_RING: never[] = [];
/** A farm's corners can be told apart: a phone shows 2 km. */
const LOOK_ZOOM = 14;

export default function BoundaryEditorView(props: ViewProps) {
  const { label, pin, onPinChange, boundary, onBoundaryChange, lookAt, disabled = false } = props;
  const [ownMode, setOwnMode] = useState<EditorMode>('Pin');
  const mode = props.mode ?? ownMode;
  const isDrawing = mode === 'Drawable';
  const setMode = (next: EditorMode) => {
    setOwnMode(next);
    props.onModeChange?.(next);
  };
  const points = boundary.length > 0 ? boundary : pin ? [pin] : NO_RING;
  const stage = useMapStage({
    boundary,
    showsBoundary: false,
    points,
    centre: props.centre,
    zoom: props.zoom,
    tiles: props.tiles,
  });
  const { layers, scheme } = stage;

  const change = useBroughtIntoView(layers, boundary, onBoundaryChange);
  const history = useRingHistory(boundary, change);
  const [selected, setSelected] = useState<number | null>(null);
  const ring = useRingTool({ layers, ring: boundary, commit: history.commit, selected, setSelected });
  const place = usePinTool({ layers, pin, onMove: onPinChange });
  usePointerTool(layers, disabled ? null : isDrawing ? ring.tool : place.tool);

  const drawn = ring.draft ?? boundary;
  const { isOpen } = ring;
  const sentence = useMemo(() => boundarySentence(drawn, isOpen), [drawn, isOpen]);
  const crosses = useMemo(() => crossings(drawn, !isOpen), [drawn, isOpen]);
  const pinAt = place.draft ?? pin;
  const paint = useCallback(
    (frame: Frame) => {
      paintRing(frame, {
        ring: drawn,
        isClosed: !isOpen && drawn.length >= 3,
        hasGrips: isDrawing,
        selected,
        crossings: crosses,
        isWrong: sentence.isWrong,
        scheme,
      });
      if (pinAt) paintPin(frame, pinAt, scheme, isDrawing);
      return drawn.length > 0 || pinAt !== null;
    },
    [drawn, isOpen, isDrawing, selected, crosses, sentence, scheme, pinAt],
  );
  useSketch(layers, paint);

  const look = useCallback(
    (at: LatLng) => layers?.map.setView(at, Math.max(layers.map.getZoom(), LOOK_ZOOM)),
    [layers],
  );
  useEffect(() => {
    if (lookAt) look(lookAt);
  }, [lookAt, look]);

  const movePin = (at: LatLng) => {
    onPinChange(roundPlace(at));
    look(at);
  };
  const remove = (index: number) => {
    setSelected(null);
    history.commit(withoutCorner(boundary, index));
  };
  return (
    <div className={classes.editor}>
      <BoundaryTools
        mode={mode}
        onMode={setMode}
        disabled={disabled}
        undo={history.undo}
        redo={history.redo}
        clear={boundary.length > 0 ? () => history.commit([]) : null}
        finish={isOpen && boundary.length >= 3 ? ring.finish : null}
        resume={!isOpen && boundary.length > 0 ? ring.resume : null}
        remove={selected !== null && selected < boundary.length ? () => remove(selected) : null}
      />
      <BoundaryFacts ring={drawn} isWrong={sentence.isWrong} />
      <div className={classes.box}>
        <MapFrame
          label={label}
          stage={stage}
          message={
            sentence.isWrong ? (
              <Fault text={sentence.text} />
            ) : (
              hint(mode, drawn.length, isOpen, pinAt !== null)
            )
          }
        />
      </div>
      {mode === 'Pin' && !disabled && (
        <div className={classes.here}>
          {props.showsPlaceFields !== false && (
            <PlaceFields place={pin} onChange={(at) => at && movePin(at)} />
          )}
          <HereButton onFound={movePin} />
        </div>
      )}
      {isDrawing && (
        <CornerList
          ring={boundary}
          disabled={disabled}
          selected={selected}
          onSelect={setSelected}
          onChange={history.commit}
          onRemove={remove}
        />
      )}
    </div>
  );
}

/** A boundary that comes from elsewhere (pasted, a draft, another person's) is shown whole. Returns how one is drawn here. */
function useBroughtIntoView(
  layers: MapLayers | null,
  boundary: readonly LatLng[],
  onChange: (boundary: LatLng[]) => void,
): (boundary: LatLng[]) => void {
  const drawnHere = useRef(boundary);
  useEffect(() => {
    if (!layers || boundary === drawnHere.current) return;
    drawnHere.current = boundary;
    const view = layers.map.getBounds();
    if (boundary.every((corner) => view.contains(onMap(layers.map, corner)))) return;
    fitPoints(layers.map, boundary, { zoom: LOOK_ZOOM, isAnimated: true });
  }, [layers, boundary]);
  return useCallback(
    (next) => {
      drawnHere.current = next;
      onChange(next);
    },
    [onChange],
  );
}

/** What is wrong stands on the map, where the finger is; colour and shape and words. */
function Fault({ text }: { text: string }) {
  return (
    <span className={classes.sentence}>
      <ConditionDot condition="issue" label={null} size={16} />
      {text}
    </span>
  );
}

/** What a person can do next. */
function hint(mode: EditorMode, count: number, isOpen: boolean, hasPin: boolean): string | null {
  if (mode === 'Pin')
    return hasPin ? 'Tap the map or drag the pin to move it.' : 'Tap the map to set the pin.';
  if (count === 0) return 'Tap the corners of the farm, one after the other.';
  if (!isOpen) return null;
  return count < 3
    ? 'Tap the next corner: a boundary needs at least 3 points.'
    : 'Tap the next corner, or the first one to finish.';
}
