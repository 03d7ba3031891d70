import { CloseButton, UnstyledButton } from '@mantine/core';
import { ConditionDot } from '../ui/condition-dot.tsx';
import type { MapMarker } from './marker.ts';
import classes from './farm-map.module.css';

export interface MapChooserProps {
  /** What lies on each other where the map was tapped. */
  markers: readonly MapMarker[];
  onChoose: (id: string) => void;
  onClose: () => void;
}

/** Which of several was meant. */
export function MapChooser({ markers, onChoose, onClose }: MapChooserProps) {
  const title = `${markers.length} devices here`;
  return (
    <section className={classes.chooser} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <CloseButton aria-label="Close" size={44} onClick={onClose} />
      </header>
      <ul>
        {markers.map((marker) => (
          <li key={marker.id}>
            <UnstyledButton className={classes.choice} onClick={() => onChoose(marker.id)}>
              <ConditionDot condition={marker.condition} label={null} size={17} />
              {marker.spoken}
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </section>
  );
}
