import type { TemplateDesign } from '@headrace/contract/schedule-templates';
import type { KeptDesign } from '../../db/schema/commands.ts';
import { invalid } from '../../http/errors.ts';

interface Group {
  readonly uid: string;
  readonly name: string;
}

/** With the names of its groups. `before`: those that it had, which may be gone. Throws invalid for others, and for one twice. */
export function keptDesign(
  design: Omit<TemplateDesign, 'name'>,
  groups: readonly Group[],
  before: KeptDesign['groups'] = [],
): KeptDesign {
  const nameOf = new Map([...before, ...groups].map((group) => [group.uid, group.name]));
  refuseUnknown(
    design,
    [...nameOf.keys()].map((uid) => ({ uid })),
  );
  const named = design.groups.map((group) => {
    const uid = group.uid.toLowerCase();
    return { ...group, uid, name: nameOf.get(uid) ?? '' };
  });
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
  const uids = design.groups.map(({ uid }) => uid.toLowerCase());
  const there = new Set(known.map(({ uid }) => uid));
  if (uids.some((uid) => !there.has(uid)))
    throw invalid('One of the groups is not on this farm, or no longer. Please choose them again.', 'groups');
  if (new Set(uids).size < uids.length) throw invalid('A group can be chosen once only.', 'groups');
}
