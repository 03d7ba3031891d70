import type { SearchResult } from '@headrace/contract/irrigation-devices';
import type { DeviceFormKind } from '@headrace/contract/rules/device-form';
import type { Standing } from '../../device-records/device-record.ts';

export interface FarmHits {
  readonly farmUID: string;
  readonly farm: string;
  readonly hits: readonly SearchResult[];
}

/** The hits by farm; the farm with the best one first. */
export function byFarm(results: readonly SearchResult[]): FarmHits[] {
  const farms = new Map<string, SearchResult[]>();
  for (const hit of results) {
    const known = farms.get(hit.farmUID);
    if (known) known.push(hit);
    else farms.set(hit.farmUID, [hit]);
  }
  return [...farms].map(([farmUID, hits]) => ({ farmUID, farm: hits[0]?.farm ?? '', hits }));
}

const kinds = [
  'sprinkler',
  'gateway',
  'repeater',
  'sensor',
  'poi',
] as const satisfies readonly DeviceFormKind[];

/** What kind of device was found; null for one that this version doesn't know. */
export const kindOf = ({ kind }: SearchResult): DeviceFormKind | null =>
  kinds.find((known) => known === kind) ?? null;

/** How a found device is, by what most needs a person. */
export function hitStanding(hit: SearchResult): Standing {
  if (kindOf(hit) === 'poi') return { condition: 'poi', label: 'Point of interest' };
  if (hit.outOfService) return { condition: 'spare', label: 'Out of service' };
  if (hit.outOfComm) return { condition: 'issue', label: 'Out of contact' };
  if (hit.inhibited) return { condition: 'inhibited', label: 'Inhibited' };
  if (hit.error) return { condition: 'caution', label: 'Needs attention' };
  return hit.isActive ? { condition: 'watering', label: 'Watering' } : { condition: 'ok', label: 'OK' };
}
