import { useCallback, useEffect, useMemo, useState } from 'react';
import { IconCheck, IconHandClick, IconLassoPolygon, IconPolygon, IconRectangle } from '@tabler/icons-react';
import type { LatLng } from '@headrace/contract/schemas';
import { Segmented } from '../ui/segmented.tsx';
import { Tool } from './boundary-tools.tsx';
import type { Frame } from './canvas-layer.ts';
import { caughtBy, chosenWith, type LassoEffect, type LassoMode } from './lasso.ts';
import { LassoList } from './lasso-list.tsx';
import type { LassoSelectProps } from './lasso-select.tsx';
import { MapFrame } from './map-frame.tsx';
import { paintRing } from './paint-ring.ts';
import { spreadMarkers } from './spread.ts';
import { useLassoTool } from './use-lasso-tool.ts';
import { useMapStage } from './use-map-stage.ts';
import { usePointerTool } from './use-pointer-tool.ts';
import { useSketch } from './use-sketch.ts';
import drawing from './drawing.module.css';
import classes from './lasso.module.css';

type ViewProps = LassoSelectProps & { centre: LatLng; zoom: number };
const NONE: never[] = [];
const MODES = [
  ['tap', 'Tap', IconHandClick],
  ['lasso', 'Lasso', IconLassoPolygon],
  ['rectangle', 'Rectangle', IconRectangle],
  ['polygon', 'Polygon', IconPolygon],
] as const;
const HINTS: Record<LassoMode, string> = {
  tap: 'Tap devices to choose them.',
  lasso: 'Drag around devices. Two fingers, or Tap, move the map.',
  rectangle: 'Drag from corner to corner. Two fingers, or Tap, move the map.',
  polygon: 'Tap corners around devices, then the first one again.',
};

export default function LassoSelectView(props: ViewProps) {
  const { label, markers, chosen, onChange, disabled = false } = props;
  const { others = NONE, boundary = NONE } = props;
  const [mode, setMode] = useState<LassoMode>('tap');
  const [effect, setEffect] = useState<LassoEffect>('add');
  /** What the last choice did, while it holds: its owner may have to take it back. */
  const [said, setSaid] = useState({ text: '', size: 0 });
  const placed = useMemo(() => spreadMarkers([...markers, ...others]), [markers, others]);
  const choosable = useMemo(() => new Set(markers.map(({ id }) => id)), [markers]);
  const stage = useMapStage({
    boundary,
    points: props.points ?? (boundary.length > 0 ? boundary : placed),
    centre: props.centre,
    zoom: props.zoom,
    tiles: props.tiles,
  });
  const { layers, scheme } = stage;

  const change = (ids: readonly string[], how: LassoEffect, barred = 0) => {
    const next = chosenWith(chosen, ids, how);
    const count = Math.abs(next.size - chosen.size);
    const devices = count === 1 ? '1 device' : `${count} devices`;
    const done = `${devices} ${how === 'add' ? 'added' : 'removed'}.`;
    // Else one wonders why what was drawn round stays as it is.
    const left = barred > 0 ? ` ${barred} can't be chosen here.` : '';
    setSaid({ text: done + left, size: next.size });
    if (next !== chosen) onChange(next);
  };
  const lasso = useLassoTool({
    layers,
    mode,
    onTap: (touch) => {
      const id = layers?.markers.hit(touch, choosable)?.id;
      if (id !== undefined) change([id], chosen.has(id) ? 'remove' : 'add');
    },
    onRing: (ring) => {
      const caught = caughtBy(ring, placed).map(({ id }) => id);
      const ids = caught.filter((id) => choosable.has(id));
      change(ids, effect, caught.length - ids.length);
    },
  });
  usePointerTool(layers, disabled ? null : lasso.tool);
  useEffect(() => layers?.markers.setMarkers(placed), [layers, placed]);
  useEffect(() => layers?.markers.setChosen(chosen), [layers, chosen]);

  const { ring, isClosed } = lasso;
  const paint = useCallback(
    (frame: Frame) => {
      paintRing(frame, {
        ring,
        isClosed,
        hasGrips: !isClosed,
        hasMiddles: false,
        selected: null,
        crossings: [],
        isWrong: effect === 'remove',
        scheme,
      });
      return ring.length > 0;
    },
    [ring, isClosed, effect, scheme],
  );
  useSketch(layers, paint);

  return (
    <div className={classes.page}>
      {!disabled && (
        <div className={drawing.tools}>
          <div className={drawing.actions} role="toolbar" aria-label="How to choose">
            {MODES.map(([value, labels, Icon]) => (
              <Tool
                key={value}
                label={labels}
                isOn={mode === value}
                act={() => {
                  lasso.cancel();
                  setMode(value);
                }}
              >
                <Icon size={20} />
              </Tool>
            ))}
            {lasso.finish && (
              <Tool label="Finish" act={lasso.finish} isWorded>
                <IconCheck size={19} />
              </Tool>
            )}
          </div>
          {mode !== 'tap' && (
            <Segmented
              aria-label="What is drawn around is"
              value={effect}
              onChange={(value) => setEffect(value === 'remove' ? 'remove' : 'add')}
              data={[
                { value: 'add', label: 'Add' },
                { value: 'remove', label: 'Remove' },
              ]}
            />
          )}
          <output className={classes.count}>
            <b className="num">{chosen.size}</b> chosen{' '}
            <span className={classes.said}>{said.size === chosen.size && said.text}</span>
          </output>
        </div>
      )}
      <div className={classes.map}>
        <MapFrame label={label} stage={stage} message={disabled ? null : HINTS[mode]} />
      </div>
      <LassoList
        markers={markers}
        placeless={props.placeless ?? NONE}
        chosen={chosen}
        disabled={disabled}
        onTick={(ids, isOn) => change(ids, isOn ? 'add' : 'remove')}
        onFocus={(id) => layers?.markers.setRinged(id)}
      />
    </div>
  );
}
