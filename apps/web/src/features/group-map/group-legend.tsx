import { useEffect, useRef } from 'react';
import { useComputedColorScheme } from '@mantine/core';
import type { MapMarker } from '../../map/marker.ts';
import { spriteOf } from '../../map/marker-sprites.ts';
import classes from './group-map.module.css';

type Look = Pick<MapMarker, 'shape' | 'condition' | 'isFaint'>;
const LOOKS: readonly (Look & { words: string })[] = [
  { shape: 'sprinkler', condition: 'ok', words: 'OK' },
  { shape: 'sprinkler', condition: 'watering', words: 'Watering' },
  { shape: 'sprinkler', condition: 'caution', words: 'Battery, clock or schedule' },
  { shape: 'sprinkler', condition: 'issue', words: 'Out of contact' },
  { shape: 'sprinkler', condition: 'inhibited', words: 'Inhibited' },
  { shape: 'sprinkler', condition: 'spare', words: 'Spare or out of service' },
  { shape: 'sprinkler', condition: 'ok', isFaint: true, words: 'Left out by the filter' },
  { shape: 'gateway', condition: 'ok', words: 'Gateway' },
  { shape: 'repeater', condition: 'sensor', words: 'Repeater' },
  { shape: 'sensor', condition: 'sensor', words: 'Sensor' },
  { shape: 'poi', condition: 'poi', words: 'Point of interest' },
];

/** The map's markers and what they mean, drawn as the map draws them. */
export function GroupLegend() {
  return (
    <details className={classes.legend}>
      <summary>Legend</summary>
      <ul>
        {LOOKS.map(({ words, ...look }) => (
          <li key={words}>
            <Picture look={look} />
            {words}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Picture({ look: { shape, condition, isFaint = false } }: { look: Look }) {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const marker = { id: '', name: '', spoken: '', lat: 0, lng: 0, shape, condition, isFaint };
    const context = canvas.current?.getContext('2d');
    context?.clearRect(0, 0, 96, 96);
    context?.drawImage(spriteOf(marker, scheme).canvas, 0, 0, 96, 96);
  }, [shape, condition, isFaint, scheme]);
  return <canvas ref={canvas} width={96} height={96} aria-hidden="true" />;
}
