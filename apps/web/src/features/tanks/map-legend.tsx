import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { MapMarker } from '../../map/marker.ts';
import { spriteOf } from '../../map/marker-sprites.ts';
import classes from './tank-map.module.css';

type Look = Pick<MapMarker, 'shape' | 'condition' | 'fill'>;
const LOOKS: readonly (Look & { words: string })[] = [
  { shape: 'tank', condition: 'ok', fill: 60, words: 'Tank, OK' },
  { shape: 'tank', condition: 'caution', fill: 15, words: 'Low level or low battery' },
  { shape: 'tank', condition: 'issue', fill: 60, words: 'Out of contact' },
  { shape: 'gateway', condition: 'ok', words: 'Gateway' },
  { shape: 'repeater', condition: 'sensor', words: 'Repeater' },
  { shape: 'poi', condition: 'poi', words: 'Point of interest' },
];

/** The map's markers and what they mean, drawn as the map draws them. */
export function MapLegend() {
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

function Picture({ look: { shape, condition, fill } }: { look: Look }) {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const marker = { id: '', name: '', spoken: '', lat: 0, lng: 0, shape, condition, fill: fill ?? null };
    const sprite = spriteOf(marker, scheme);
    const context = canvas.current?.getContext('2d');
    context?.clearRect(0, 0, 96, 96);
    context?.drawImage(sprite.canvas, 0, 0, 96, 96);
  }, [shape, condition, fill, scheme]);
  return <canvas ref={canvas} width={96} height={96} className={classes.legendPicture} aria-hidden="true" />;
}
