import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { MapMarker } from './marker.ts';
import { spriteOf } from './marker-sprites.ts';
import classes from './map-legend.module.css';

type Look = Pick<MapMarker, 'shape' | 'condition' | 'fill' | 'isFaint' | 'look' | 'isStopAwaited'>;
export type LegendEntry = Look & { label: string };

/** A map's markers and what they mean, drawn as the map draws them. */
export function MapLegend({ entries }: { entries: readonly LegendEntry[] }) {
  return (
    <details className={classes.legend}>
      <summary>Legend</summary>
      <ul>
        {entries.map(({ label, ...look }) => (
          <li key={label}>
            <Picture {...look} />
            {label}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Picture({ shape, condition, fill = null, isFaint = false, look, isStopAwaited }: Look) {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const at = { id: '', name: '', spoken: '', lat: 0, lng: 0 };
    const marker = {
      ...at,
      shape,
      condition,
      fill,
      isFaint,
      ...(look && { look }),
      ...(isStopAwaited && { isStopAwaited }),
    };
    const context = canvas.current?.getContext('2d');
    context?.clearRect(0, 0, 96, 96);
    context?.drawImage(spriteOf(marker, scheme).canvas, 0, 0, 96, 96);
  }, [shape, condition, fill, isFaint, look, isStopAwaited, scheme]);
  return <canvas ref={canvas} width={96} height={96} aria-hidden="true" />;
}
