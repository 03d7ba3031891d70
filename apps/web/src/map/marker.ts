import type { LatLng } from '@headrace/contract/schemas';
import type { WateringLook } from './sprinkler-look.ts';
import { MAP } from '@headrace/contract/limits';
import type { Condition } from '../ui/tokens.ts';

export type MarkerShape = 'tank' | 'gateway' | 'repeater' | 'poi' | 'sprinkler' | 'sensor';

/** A device or place on the map. A new object is a changed marker; the same one is left alone. */
export interface MapMarker extends LatLng {
  id: string;
  shape: MarkerShape;
  condition: Condition;
  name: string;
  /** 0-100: how full a tank's marker is drawn; null leaves it empty. */
  fill?: number | null;
  /** Left out by a filter: drawn as a faint disc. */
  isFaint?: boolean;
  /** Of a sprinkler that waters without having said so; otherwise it said so. */
  look?: WateringLook;
  /** Of a sprinkler that a person stopped and that has not said so yet. */
  isStopAwaited?: true;
  /** A point of interest's kind: `gate`, `pump`; its pin has that sign. */
  sign?: string | undefined;
  /** Stands beside the name once markers are labels: "62 %". */
  value?: string;
  /** What a screen reader says: name, kind, condition. */
  spoken: string;
}

/** A name as it stands on a marker: its first 10 characters. */
export function markerLabel(name: string): string {
  const letters = Array.from(name);
  return letters.length > MAP.labelMax ? `${letters.slice(0, MAP.labelMax).join('').trimEnd()}…` : name;
}

/** A name as it stands in a popup: its first 15 characters. */
export function popupName(name: string): string {
  const letters = Array.from(name);
  return letters.length > MAP.popupNameMax
    ? `${letters.slice(0, MAP.popupNameMax).join('').trimEnd()}…`
    : name;
}

/** Half of 44 px: what a finger hits. */
export const TOUCH_RADIUS_PX = 22;

/** Which markers are new, changed or gone, by id and identity. */
export function changedMarkers(
  before: readonly MapMarker[],
  after: readonly MapMarker[],
): MapMarker[] | 'all' {
  if (before.length !== after.length) return 'all';
  const changed: MapMarker[] = [];
  for (const [index, marker] of after.entries()) {
    const old = before[index];
    if (old === marker) continue;
    if (!old || old.id !== marker.id || old.lat !== marker.lat || old.lng !== marker.lng) return 'all';
    changed.push(marker);
  }
  return changed;
}
