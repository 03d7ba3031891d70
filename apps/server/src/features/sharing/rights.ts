import {
  flags,
  levels,
  type Permissions,
  presets,
  resources,
  templates,
} from '@headrace/contract/permissions';
import type { SharedPermissions } from '@headrace/contract/sharing';
import { invalid } from '../../http/errors.ts';

const presetOf: Readonly<Record<number, Permissions>> = {
  [templates.FarmManager]: presets.farmManager,
  [templates.Agent]: presets.agent,
  [templates.Guest]: presets.guest,
};

/** What is stored: a template's rights exactly, else those that were given, and none where nothing was said. */
export function rightsOf(template: number, given: SharedPermissions): Permissions {
  const said = given as Partial<Permissions>;
  return (
    presetOf[template] ??
    (Object.fromEntries([
      ...resources.map((name) => [name, (said[name] ?? levels.None) & levels.All]),
      ...flags.map((name) => [name, said[name] ?? false]),
    ]) as Permissions)
  );
}

/** As the people who use it see it: who has the whole account may make farms in it. */
export const shownRights = (share: { farm_id: number | null; permissions: Permissions }): Permissions =>
  share.farm_id === null
    ? { ...share.permissions, farms: share.permissions.farms | levels.Account }
    : share.permissions;

/** Undefined: nothing was said. Throws where it doesn't lie ahead. */
export function endOf(endsAt: string | null | undefined, now: Date): Date | null | undefined {
  if (endsAt === undefined || endsAt === null) return endsAt;
  const end = new Date(endsAt);
  if (end <= now) throw invalid('The end must lie ahead.', 'endsAt');
  return end;
}
