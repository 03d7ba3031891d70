import type { LegendEntry } from '../../map/map-legend.tsx';

export const tankLegend: readonly LegendEntry[] = [
  { shape: 'tank', condition: 'ok', fill: 60, words: 'Tank, OK' },
  { shape: 'tank', condition: 'caution', fill: 15, words: 'Low level, low battery or no valid level' },
  { shape: 'tank', condition: 'issue', fill: 60, words: 'Out of contact' },
  { shape: 'gateway', condition: 'ok', words: 'Gateway' },
  { shape: 'repeater', condition: 'sensor', words: 'Repeater' },
  { shape: 'poi', condition: 'poi', words: 'Point of interest' },
];
