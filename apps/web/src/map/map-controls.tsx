import type { ReactNode } from 'react';
import { Tooltip, UnstyledButton } from '@mantine/core';
import {
  IconArrowsMove,
  IconCurrentLocation,
  IconMaximize,
  IconMinus,
  IconPhoto,
  IconPlus,
  IconPolygon,
} from '@tabler/icons-react';
import classes from './farm-map.module.css';

export interface MapControlsProps {
  onZoomIn: () => void;
  onZoomOut: () => void;
  onFit: () => void;
  /** How the boundary is shown now; null: there is none. */
  boundary: string | null;
  onBoundary: () => void;
  /** Whether the imagery is shown; null: there is none. */
  hasImagery: boolean | null;
  onImagery: () => void;
  isTracking: boolean;
  /** Absent where a farm has no boundary to be inside of. */
  onTrack?: (() => void) | undefined;
  /** Absent where nothing may be moved. */
  move?: { isOn: boolean; toggle: () => void } | undefined;
}

export function MapControls(props: MapControlsProps) {
  const { boundary, isTracking, onTrack, move } = props;
  return (
    <div className={classes.controls}>
      <div className={classes.controlGroup}>
        <Control label="Zoom in" onClick={props.onZoomIn}>
          <IconPlus size={20} />
        </Control>
        <Control label="Zoom out" onClick={props.onZoomOut}>
          <IconMinus size={20} />
        </Control>
      </div>
      <div className={classes.controlGroup}>
        <Control label="Show the whole farm" onClick={props.onFit}>
          <IconMaximize size={20} />
        </Control>
        {boundary && (
          <Control label={`${boundary}. Change`} onClick={props.onBoundary}>
            <IconPolygon size={20} />
          </Control>
        )}
        {props.hasImagery !== null && (
          <Control label="Imagery" onClick={props.onImagery} isOn={props.hasImagery}>
            <IconPhoto size={20} />
          </Control>
        )}
        {onTrack && (
          <Control label="My location" onClick={onTrack} isOn={isTracking}>
            <IconCurrentLocation size={20} />
          </Control>
        )}
        {move && (
          <Control label="Move devices" onClick={move.toggle} isOn={move.isOn}>
            <IconArrowsMove size={20} />
          </Control>
        )}
      </div>
    </div>
  );
}

interface ControlProps {
  label: string;
  onClick: () => void;
  isOn?: boolean;
  children: ReactNode;
}

function Control({ label, onClick, isOn, children }: ControlProps) {
  return (
    <Tooltip label={label} position="left" withinPortal={false}>
      <UnstyledButton className={classes.control} aria-label={label} aria-pressed={isOn} onClick={onClick}>
        {children}
      </UnstyledButton>
    </Tooltip>
  );
}
