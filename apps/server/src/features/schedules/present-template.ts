import { compareNatural } from '@headrace/contract/rules/natural-order';
import type { ScheduleFarm, ScheduleTemplate } from '@headrace/contract/schedule-templates';
import type { FarmRow } from '../../db/schema.ts';
import { onFarm } from './design-checks.ts';
import type { GroupOfFarm, TemplateRow, UnitOfGroup } from './templates.repo.ts';

/** Groups by the names that they have now; those that are gone by the ones that they had. */
export function toTemplate(
  farm: FarmRow,
  { uid, name, body, version, updated_at }: TemplateRow,
  groups: readonly GroupOfFarm[],
): ScheduleTemplate {
  const nameOf = new Map(groups.map((group) => [group.uid, group.name]));
  return {
    _id: uid,
    farmUID: farm.uid,
    ...onFarm(body, groups),
    name,
    groups: body.groups.map((group) => ({
      ...group,
      name: nameOf.get(group.uid) ?? group.name,
      isGone: !nameOf.has(group.uid),
    })),
    version,
    updatedAt: updated_at.toISOString(),
  };
}

const byName = (one: { name: string }, other: { name: string }) => compareNatural(one.name, other.name);

/** What a template is computed from. A group without water application of its own has its farm's. */
export function toScheduleFarm(
  farm: FarmRow,
  groups: readonly GroupOfFarm[],
  units: readonly UnitOfGroup[],
): ScheduleFarm {
  const unitsOf = new Map<number, UnitOfGroup[]>();
  for (const unit of units) {
    const own = unitsOf.get(unit.groupId);
    if (own) own.push(unit);
    else unitsOf.set(unit.groupId, [unit]);
  }
  return {
    farm: { _id: farm.uid, name: farm.name },
    groups: groups.toSorted(byName).map(({ id, uid, name, is_lateral, wal_config }) => ({
      uid,
      name,
      isLateral: is_lateral,
      walConfig: wal_config ?? farm.wal_config,
      ipcs: (unitsOf.get(id) ?? []).toSorted(byName).map((unit) => ({
        id: unit.uid,
        name: unit.name,
        serialNumber: unit.serialNumber,
        lat: unit.lat,
        lng: unit.lng,
      })),
    })),
    walConfig: farm.wal_config,
    v3Site: farm.v3_site,
  };
}
