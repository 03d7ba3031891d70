import { useEffect, useState } from 'react';
import { SketchLayer, type Paint } from './sketch-layer.ts';
import type { MapLayers } from './use-leaflet.ts';

/** Keeps a sketch above the map's markers. `paint` is called again whenever it is another function. */
export function useSketch(layers: MapLayers | null, paint: Paint): void {
  const [sketch] = useState(() => new SketchLayer('sketch'));
  useEffect(() => {
    if (!layers) return undefined;
    sketch.addTo(layers.map);
    return () => {
      sketch.remove();
    };
  }, [sketch, layers]);
  useEffect(() => sketch.setPaint(paint), [sketch, paint]);
}
