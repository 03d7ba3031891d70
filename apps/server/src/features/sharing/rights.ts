import { levels, type Permissions, presets, templates, toPermissions } from '@headrace/contract/permissions';
import type { SharedPermissions } from '@headrace/contract/sharing';
import { invalid } from '../../http/errors.ts';

const presetOf: Readonly<Record<number, Permissions>> = {
  [templates.FarmManager]: presets.farmManager,
  [templates.Agent]: presets.agent,
  [templates.Guest]: presets.guest,
};

/** What is stored: a template's rights exactly, else those that were given, and none where nothing was said. */
export const rightsOf = (template: number, given: SharedPermissions): Permissions =>
  presetOf[template] ?? withoutAccount(toPermissions(given));

/** Only who has the whole account may make farms in it: nobody gives that right of a farm. */
const withoutAccount = (permissions: Permissions): Permissions => ({
  ...permissions,
  farms: permissions.farms & levels.All,
});

/** As the people who use it see it: who has the whole account may make farms in it. */
export function shownRights(share: { farm_id: number | null; permissions: unknown }): Permissions {
  const given = toPermissions(share.permissions);
  return share.farm_id === null ? { ...given, farms: given.farms | levels.Account } : given;
}

/** Undefined: nothing was said. Throws where it doesn't lie ahead. */
export function endOf(endsAt: string | null | undefined, now: Date): Date | null | undefined {
  if (endsAt === undefined || endsAt === null) return endsAt;
  const end = new Date(endsAt);
  if (end <= now) throw invalid('The end must lie ahead.', 'endsAt');
  return end;
}
