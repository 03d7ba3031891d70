import './leaflet.css';
import { useMemo, type ReactNode } from 'react';
import { LAND_CREDITS, readCredits } from './attribution.ts';
import { boundaryLabels } from './boundary-mode.ts';
import { MapControls } from './map-controls.tsx';
import type { MapStage } from './use-map-stage.ts';
import classes from './farm-map.module.css';

export interface MapFrameProps {
  label: string;
  stage: MapStage;
  /** Said on the map. */
  message?: ReactNode;
  zoomAround?: { lat: number; lng: number } | null | undefined;
  location?: { isOn: boolean; toggle: () => void } | undefined;
  /** Absent where nothing may be moved. */
  move?: { isOn: boolean; toggle: () => void } | undefined;
  /** What stands in front of the map for the keyboard. */
  before?: ReactNode;
  children?: ReactNode;
}

/** The map's box with its controls and whom its land is owed to. */
export function MapFrame(props: MapFrameProps) {
  const { label, stage, message, zoomAround, location, move, before, children } = props;
  const { container, boundary, tiles, imagery } = stage;
  return (
    <section className={classes.map} aria-label={label}>
      {before}
      <div
        ref={container}
        className={classes.canvas}
        role="application"
        aria-busy={stage.layers === null}
        aria-label={`${label}. Arrow keys move the map, plus and minus zoom.`}
      />
      {children}
      <MapControls
        onZoomIn={() => stage.zoomBy(1, zoomAround)}
        onZoomOut={() => stage.zoomBy(-1, zoomAround)}
        onFit={stage.fit}
        boundary={boundary && boundaryLabels[boundary.mode]}
        onBoundary={() => boundary?.next()}
        hasImagery={imagery.isOn}
        onImagery={imagery.toggle}
        isTracking={location?.isOn ?? false}
        onTrack={location?.toggle}
        move={move}
      />
      <output className={classes.message}>{message}</output>
      <Attribution attribution={imagery.isOn && tiles ? tiles.attribution : ''}>
        {imagery.isOn === null && tiles?.hint}
        {imagery.isMissing && <output>Some of the imagery didn't load</output>}
      </Attribution>
    </section>
  );
}

function Attribution({ attribution, children }: { attribution: string; children: ReactNode }) {
  const credits = useMemo(() => [...readCredits(attribution), ...LAND_CREDITS], [attribution]);
  return (
    <small className={classes.attribution}>
      <span className={classes.beside}>{children}</span>
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
