import { type LegendEntry, MapLegend } from '../../map/map-legend.tsx';

const entries: readonly LegendEntry[] = [
  { shape: 'sprinkler', condition: 'ok', words: 'OK' },
  { shape: 'sprinkler', condition: 'watering', words: 'Watering: it said so' },
  { shape: 'sprinkler', condition: 'watering', look: 'planned', words: 'Should be watering, not confirmed' },
  { shape: 'sprinkler', condition: 'watering', look: 'overdue', words: 'Open, should be closed by now' },
  {
    shape: 'sprinkler',
    condition: 'ok',
    isStopAwaited: true,
    words: 'To be inhibited, has not said so yet',
  },
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

/** Comes after the map. */
export default function GroupLegend() {
  return <MapLegend entries={entries} />;
}
