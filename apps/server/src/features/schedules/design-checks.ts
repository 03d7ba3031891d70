import type { TemplateDesign } from '@headrace/contract/schedule-templates';
import type { KeptDesign } from '../../db/schema/commands.ts';
import { invalid } from '../../http/errors.ts';
import { mainsOnFarm } from './main-text.ts';

interface Group {
  readonly uid: string;
  readonly name: string;
}

/** Uids may come in capitals; everywhere behind the edge they are small. */
export function withSmallUids<T extends Pick<TemplateDesign, 'groups' | 'limits'>>(body: T): T {
  const groups = body.groups.map((group) => ({ ...group, uid: group.uid.toLowerCase() }));
  const { limits } = body;
  if (!limits?.mains) return { ...body, groups };
  const mains = limits.mains.map((main) => ({
    ...main,
    groups: main.groups.map((uid) => uid.toLowerCase()),
  }));
  return { ...body, groups, limits: { ...limits, mains } };
}

/** Without groups on its mains that are no longer on the farm: they draw nothing. */
export function onFarm<T extends Pick<KeptDesign, 'limits'>>(design: T, groups: readonly Group[]): T {
  const { limits } = design;
  if (!limits?.mains) return design;
  const here = new Set(groups.map(({ uid }) => uid));
  return { ...design, limits: { ...limits, mains: mainsOnFarm(limits.mains, here) } };
}

/** With the names of its groups. `before`: as it was, with groups that may be gone. Throws invalid for others, and for one twice. */
export function keptDesign(
  design: Omit<TemplateDesign, 'name'>,
  groups: readonly Group[],
  before: KeptDesign | null = null,
): KeptDesign {
  const nameOf = new Map([...(before?.groups ?? []), ...groups].map((group) => [group.uid, group.name]));
  refuseUnknown(
    design,
    [...nameOf.keys()].map((uid) => ({ uid })),
  );
  refuseUnknownOnMains(design, [...groups.map(({ uid }) => uid), ...onMains(before)]);
  const named = design.groups.map((group) => ({ ...group, name: nameOf.get(group.uid) ?? '' }));
  const { settings, windy = false, leveling = false, startMin = 0, limits = null } = design;
  return { groups: named, settings, windy, leveling, startMin, limits };
}

/** Throws invalid. */
export function refuseBlank(name: string): void {
  if (name.trim() === '') throw invalid('Name is required.', 'name');
}

/** Throws invalid. */
export function refuseUnknown(
  design: Pick<TemplateDesign, 'groups'>,
  known: readonly { readonly uid: string }[],
): void {
  const uids = design.groups.map(({ uid }) => uid);
  const there = new Set(known.map(({ uid }) => uid));
  if (uids.some((uid) => !there.has(uid)))
    throw invalid('One of the groups is not on this farm, or no longer. Please choose them again.', 'groups');
  if (new Set(uids).size < uids.length) throw invalid('A group can be chosen once only.', 'groups');
}

const onMains = (design: Pick<TemplateDesign, 'limits'> | null): string[] =>
  (design?.limits?.mains ?? []).flatMap(({ groups }) => groups);

/** Throws invalid. */
function refuseUnknownOnMains(design: Pick<TemplateDesign, 'limits'>, known: readonly string[]): void {
  const there = new Set(known);
  if (onMains(design).some((uid) => !there.has(uid)))
    throw invalid(
      'One of the groups on a main is not on this farm, or no longer. Please choose them again.',
      'mains',
    );
}
