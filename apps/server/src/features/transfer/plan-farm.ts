import type { ImportField } from '@headrace/contract/imports';
import { FAR_KM } from '@headrace/contract/limits';
import { can, hasRight, type Permissions } from '@headrace/contract/permissions';
import { distanceKm } from '@headrace/contract/rules/distance';
import { kmText } from '@headrace/contract/rules/far-place';
import { validateFarmEntry } from '@headrace/contract/rules/farm-form';
import type { FileFarm, FileGroup } from '@headrace/contract/rules/files/read-project';
import type { LatLng } from '@headrace/contract/schemas';
import type { FarmRow } from '../../db/schema.ts';
import { atName, atPlace, mayNot, onLine } from './fault-place.ts';
import { type FarmGroups, judgeGroupName } from './plan-groups.ts';
import type { PlanItem } from './plan-items.ts';
import { leftOut } from './plan-places.ts';

/** Groups that a file names by themselves. Those that its units bring are told with them. */
export function planGroups(
  groups: readonly FileGroup[],
  farm: FarmGroups,
  brought: readonly string[],
  permissions: Permissions,
): PlanItem[] {
  const met = new Set(brought.map((name) => name.toLowerCase()));
  return groups.flatMap(({ line, name: said }): PlanItem[] => {
    const name = said.trim();
    const of = { line, name, kind: 'group' };
    const key = name.toLowerCase();
    if (farm.has(key)) return [{ row: { ...of, action: 'same', fields: [], why: '' }, deed: null }];
    if (met.has(key)) return [];
    met.add(key);
    if (!hasRight(permissions, can('groups', 'Create')))
      return [leftOut(of, onLine(of, mayNot('add groups')))];
    const fault = key === 'farm' ? 'FARM stands for all: it is no group. Take it out.' : judgeGroupName(name);
    if (fault !== null) return [leftOut(of, atName(of, fault))];
    return [{ row: { ...of, action: 'add', fields: [], why: '' }, deed: { do: 'add group', name } }];
  });
}

/** What a file says of the farm itself: done only where it is ticked, for it may be the file of another farm. */
export function planFarm(
  farms: readonly FileFarm[],
  farm: Pick<FarmRow, 'name' | 'lat' | 'lng'>,
  permissions: Permissions,
): PlanItem[] {
  return farms.map(({ line, ...said }): PlanItem => {
    const { name = farm.name, lat = farm.lat, lng = farm.lng } = said;
    const of = { line, name: farm.name, kind: 'farm' };
    const fields = [
      { field: 'name', from: farm.name, to: name },
      { field: 'lat', from: String(farm.lat), to: String(lat) },
      { field: 'lng', from: String(farm.lng), to: String(lng) },
    ].filter(({ from, to }): boolean => from !== to) satisfies ImportField[];
    const isMoved = lat !== farm.lat || lng !== farm.lng;
    const called = { do: 'farm', change: { name: name.trim(), lat: farm.lat, lng: farm.lng } } as const;
    if (fields.length === 0) return { row: { ...of, action: 'same', fields, why: '' }, deed: null };
    if (!hasRight(permissions, can('farms', 'Edit')))
      return leftOut(of, onLine(of, mayNot('change the name and place of this farm')));
    const faults = validateFarmEntry({ name, lat, lng });
    if (faults.name !== undefined) return leftOut(of, atName({ line, name }, faults.name));
    const [fault] = Object.values(faults);
    if (fault !== undefined) return leftOut(of, atPlace({ line, at: 'lat, lng', lat, lng }, fault));
    return {
      row: {
        ...of,
        action: 'choose',
        fields,
        why: `${movedText(farm, { lat, lng })}The file may be of another farm. Tick it if this farm is to be called and to stand so.`,
        ...(isMoved && {
          stay: fields.filter(({ field }) => field === 'name'),
          place: { lat, lng },
          was: { lat: farm.lat, lng: farm.lng },
        }),
      },
      deed: { do: 'farm', change: { name: name.trim(), lat, lng } },
      ...(isMoved && name !== farm.name && { staying: called }),
    };
  });
}

/** Of a farm that would stand far from where it does; '' where it wouldn't, or nobody has said yet where it stands. */
function movedText(from: LatLng, to: LatLng): string {
  const km = from.lat === 0 && from.lng === 0 ? 0 : distanceKm(from, to);
  return km > FAR_KM.ofFarm
    ? `That is ${kmText(km)} from where the farm stands, and its devices stay where they are. `
    : '';
}
