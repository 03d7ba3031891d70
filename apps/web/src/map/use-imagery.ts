import { useEffect, useState } from 'react';
import { useLocalStorage } from '@mantine/hooks';
import L from 'leaflet';
import { MAP } from '@headrace/contract/limits';
import { tileTemplate } from './tile-template.ts';
import type { MapLayers } from './use-leaflet.ts';
import classes from './farm-map.module.css';

export interface ImageryState {
  /** Null: none is set up. */
  isOn: boolean | null;
  toggle: () => void;
  /** Of what is in sight, something couldn't be had: there the plain map shows. */
  isMissing: boolean;
}

/** The imagery over the land, for as long as the person wants it. Tiles that fail leave the land visible; tiles that come hide our labels. */
export function useImagery(
  layers: MapLayers | null,
  tiles: { url: string; maxZoom: number } | undefined,
): ImageryState {
  const [isWanted, setIsWanted] = useLocalStorage({
    key: 'headrace.map.imagery',
    defaultValue: true,
    getInitialValueInEffect: false,
  });
  const [isMissing, setIsMissing] = useState(false);
  const url = tiles?.url ?? '';
  const maxZoom = tiles?.maxZoom ?? MAP.maxZoom;
  useEffect(() => {
    if (!layers || !url || !isWanted) return undefined;
    const stop = showTiles(layers, { url, maxZoom, onMissing: setIsMissing });
    return () => {
      stop();
      setIsMissing(false);
    };
  }, [layers, url, maxZoom, isWanted]);
  return {
    isOn: url ? isWanted : null,
    toggle: () => setIsWanted((is) => !is),
    isMissing: isMissing && isWanted,
  };
}

interface TileOptions {
  url: string;
  maxZoom: number;
  /** Whether something of what is in sight is missing, once all of it has come or failed. */
  onMissing: (isMissing: boolean) => void;
}

function showTiles({ map, labels }: MapLayers, { url, maxZoom, onMissing }: TileOptions): () => void {
  const layer = L.tileLayer(tileTemplate(url), {
    maxZoom: MAP.maxZoom,
    maxNativeZoom: Math.min(MAP.maxZoom, maxZoom),
    className: classes.tile,
    // Providers know whom they serve by the address of the web app, and OpenStreetMap refuses who doesn't say it.
    referrerPolicy: 'strict-origin-when-cross-origin',
  });
  const failed = new Set<HTMLElement>();
  layer.on('tileload', () => labels.setHidden(true));
  layer.on('tileerror', ({ tile }) => failed.add(tile));
  layer.on('tileunload', ({ tile }) => failed.delete(tile));
  layer.on('load', () => onMissing(failed.size > 0));
  layer.addTo(map);
  return () => {
    layer.remove();
    labels.setHidden(false);
  };
}
