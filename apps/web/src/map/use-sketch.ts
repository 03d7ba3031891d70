import { useEffect, useState } from 'react';
import { SketchLayer, type Paint } from './sketch-layer.ts';
import type { MapLayers } from './use-leaflet.ts';

/** Keeps a sketch above the map's markers. `paint` is called again whenever it is another function. */
export function useSketch(layers: MapLayers | null, paint: Paint): void {
  const [sketch, setSketch] = useState<SketchLayer | null>(null);
  useEffect(() => {
    if (!layers) return undefined;
    const made = new SketchLayer('sketch').addTo(layers.map);
    setSketch(made);
    return () => {
      made.remove();
      setSketch(null);
    };
  }, [layers]);
  useEffect(() => sketch?.setPaint(paint), [sketch, paint]);
}
