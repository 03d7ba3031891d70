import { type LegendEntry, MapLegend } from '../../map/map-legend.tsx';

const entries: readonly LegendEntry[] = [
  { shape: 'sprinkler', condition: 'ok', label: 'OK' },
  { shape: 'sprinkler', condition: 'watering', label: 'Watering: it said so' },
  { shape: 'sprinkler', condition: 'watering', look: 'planned', label: 'Should be watering, not confirmed' },
  { shape: 'sprinkler', condition: 'watering', look: 'overdue', label: 'Open, should be closed by now' },
  {
    shape: 'sprinkler',
    condition: 'ok',
    isStopAwaited: true,
    label: 'To be inhibited, has not said so yet',
  },
  { shape: 'sprinkler', condition: 'caution', label: 'Battery, clock or schedule' },
  { shape: 'sprinkler', condition: 'issue', label: 'Out of contact' },
  { shape: 'sprinkler', condition: 'inhibited', label: 'Inhibited' },
  { shape: 'sprinkler', condition: 'spare', label: 'Spare or out of service' },
  { shape: 'sprinkler', condition: 'ok', isFaint: true, label: 'Left out by the filter' },
  { shape: 'gateway', condition: 'ok', label: 'Gateway' },
  { shape: 'repeater', condition: 'sensor', label: 'Repeater' },
  { shape: 'sensor', condition: 'sensor', label: 'Sensor' },
  { shape: 'poi', condition: 'poi', label: 'Point of interest' },
];

/** Comes after the map. */
export default function GroupLegend() {
  return <MapLegend entries={entries} />;
}
