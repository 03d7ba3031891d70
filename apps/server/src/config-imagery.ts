import type { Reader } from './config-sending.ts';

export interface Imagery {
  /** Address of a tile with {z}, {x}, {y}, or of a WMTS; empty: no imagery. */
  tileUrl: string;
  /** What its owner asks to be named as; may be HTML. */
  tileAttribution: string;
  /** Its closest zoom; beyond, its tiles are stretched. */
  tileMaxZoom: number;
}

const OWN_MAX_ZOOM = 19;

/** Who answers for imagery, with the terms that docs/configuration.md names. {key} stands for MAP_IMAGERY_KEY. */
const PRESETS: Readonly<Record<string, Imagery>> = {
  // https://basemaps.linz.govt.nz/docs/user-guide/technical-documentation
  linz: {
    tileUrl: 'https://basemaps.linz.govt.nz/v1/tiles/aerial/WebMercatorQuad/{z}/{x}/{y}.webp?api={key}',
    tileAttribution:
      '© <a href="https://www.linz.govt.nz/linz-copyright">LINZ CC BY 4.0</a> © <a href="https://www.linz.govt.nz/data/linz-data/linz-basemaps/data-attribution">Imagery Basemap contributors</a>',
    tileMaxZoom: 22,
  },
  // Esri writes rows before columns. Away from towns there is little beyond 18.
  esri: {
    tileUrl:
      'https://ibasemaps-api.arcgis.com/arcgis/rest/services/World_Imagery/MapServer/tile/{z}/{y}/{x}?token={key}',
    tileAttribution:
      'Powered by <a href="https://www.esri.com">Esri</a> | Esri, Maxar, Earthstar Geographics, and the GIS User Community',
    tileMaxZoom: 18,
  },
  // https://operations.osmfoundation.org/policies/tiles/
  osm: {
    tileUrl: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png',
    tileAttribution: '© <a href="https://www.openstreetmap.org/copyright">OpenStreetMap</a> contributors',
    tileMaxZoom: 19,
  },
};
const NONE: Imagery = { tileUrl: '', tileAttribution: '', tileMaxZoom: OWN_MAX_ZOOM };

/** What lies under the farms. docs/configuration.md describes each variable. */
export function readImagery(read: Reader): Imagery {
  const name = read.text('MAP_IMAGERY')?.toLowerCase() ?? null;
  const own = read.text('TILE_URL');
  if (name === null) return own === null ? NONE : readOwn(read, own);
  if (own !== null) read.fault('MAP_IMAGERY and TILE_URL are both set: give one of them.');
  return name === 'none' ? NONE : readPreset(read, name);
}

function readPreset(read: Reader, name: string): Imagery {
  const preset = Object.hasOwn(PRESETS, name) ? PRESETS[name] : undefined;
  if (!preset) {
    read.fault(
      `MAP_IMAGERY is "${name}": give ${Object.keys(PRESETS).join(', ')} or none; tiles of your own are named by TILE_URL.`,
    );
    return NONE;
  }
  const key = read.text('MAP_IMAGERY_KEY');
  if (preset.tileUrl.includes('{key}') && key === null)
    read.fault(`MAP_IMAGERY=${name} needs a key: give MAP_IMAGERY_KEY.`);
  return { ...preset, tileUrl: preset.tileUrl.replace('{key}', () => encodeURIComponent(key ?? '')) };
}

function readOwn(read: Reader, tileUrl: string): Imagery {
  if (!isTileUrl(tileUrl))
    read.fault(
      "TILE_URL can't be read: give an http(s) address with {z}, {x} and {y} in it, or of a WMTS with {TileMatrix}, {TileCol} and {TileRow}.",
    );
  return {
    tileUrl,
    tileAttribution: read.text('TILE_ATTRIBUTION') ?? '',
    tileMaxZoom: read.integer('TILE_MAX_ZOOM', OWN_MAX_ZOOM, 1, 24),
  };
}

/** XYZ or WMTS, with every part of a tile's address and nothing else that would have to be filled in. */
function isTileUrl(url: string): boolean {
  const names = [...url.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name.toLowerCase());
  const has = (...parts: string[]) => parts.every((part) => names.includes(part));
  const isKnown = names.every((name) => /^([xyzsr]|tilematrix|tilecol|tilerow)$/.test(name));
  return (
    /^https?:\/\//.test(url) && isKnown && (has('z', 'x', 'y') || has('tilematrix', 'tilecol', 'tilerow'))
  );
}
