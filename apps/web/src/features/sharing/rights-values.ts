import {
  flags,
  levels,
  presets,
  resources,
  templates,
  type Flag,
  type Level,
  type Permissions,
  type Resource,
} from '@headrace/contract/permissions';
import { templateChoices, type Template } from './rights-labels.ts';

/** Rights as they stand in a form. */
export interface RightsValues {
  template: Template;
  permissions: Permissions;
  /** The last day of the share, YYYY-MM-DD on the owner's clock; blank: it doesn't end by itself. */
  endsOn: string;
}

export const newRights: RightsValues = {
  template: templates.Guest,
  permissions: presets.guest,
  endsOn: '',
};

/** Choosing a template sets exactly its rights; Custom begins with none. */
export function withTemplate(values: RightsValues, template: Template): RightsValues {
  const choice = templateChoices.find(({ value }) => value === template);
  return { ...values, template, permissions: choice?.permissions ?? presets.none };
}

/** Changing one right of any template makes it Custom. */
export function withLevel(values: RightsValues, resource: Resource, level: Level, on: boolean): RightsValues {
  const bit = levels[level];
  const before = values.permissions[resource];
  const permissions = { ...values.permissions, [resource]: on ? before | bit : before & ~bit };
  return { ...values, template: templates.Custom, permissions };
}

export function withFlag(values: RightsValues, flag: Flag, on: boolean): RightsValues {
  return { ...values, template: templates.Custom, permissions: { ...values.permissions, [flag]: on } };
}

/** Rights as the server sends them: what is missing is none. The bit for making farms isn't part of the form. */
export function permissionsOf(sent: object): Permissions {
  const given = sent as Partial<Permissions>;
  return Object.fromEntries([
    ...resources.map((name) => [name, (given[name] ?? 0) & levels.All]),
    ...flags.map((name) => [name, given[name] ?? false]),
  ]) as Permissions;
}

export const templateOf = (template: number): Template =>
  templateChoices.find(({ value }) => value === template)?.value ?? templates.Custom;

const two = (n: number) => String(n).padStart(2, '0');
const dayText = (at: Date) => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;

/** The day of a time (ISO) on this clock; blank for none. */
export const dayOf = (time: string | null): string => (time === null ? '' : dayText(new Date(time)));

/** A share ends with its last day, on the clock of who gives it. Null for none. */
export function endOf(day: string): string | null {
  const [year, month, date] = day.split('-').map(Number);
  if (year === undefined || month === undefined || date === undefined) return null;
  return new Date(year, month - 1, date, 23, 59, 59).toISOString();
}

/** The last day must be a day that isn't over. `now` in epoch ms. */
export function validateEnd(endsOn: string, now: number): string | null {
  if (endsOn === '') return null;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(endsOn) || Number.isNaN(Date.parse(endsOn)))
    return 'Last day must be a day, as 31/12/2027.';
  return endsOn < dayText(new Date(now)) ? 'Last day must be today or later.' : null;
}
