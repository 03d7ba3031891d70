import type { LegendEntry } from '../../map/map-legend.tsx';

export const tankLegend: readonly LegendEntry[] = [
  { shape: 'tank', condition: 'ok', fill: 60, label: 'Tank, OK' },
  { shape: 'tank', condition: 'caution', fill: 15, label: 'Low level, low battery or no valid level' },
  { shape: 'tank', condition: 'issue', fill: 60, label: 'Out of contact' },
  { shape: 'gateway', condition: 'ok', label: 'Gateway' },
  { shape: 'repeater', condition: 'sensor', label: 'Repeater' },
  { shape: 'poi', condition: 'poi', label: 'Point of interest' },
];
