import { DAY_MINUTES } from '@headrace/contract/rules/schedule/plan';
import { clockText } from '@headrace/contract/rules/schedule/clock-text';
import type { ScheduleTemplate } from '@headrace/contract/schedule-templates';

/** How sprinklers water by a template, in a line. */
export function templateText({ settings, startMin, windy, leveling, limits }: ScheduleTemplate): string {
  const { duration, cycleLen = DAY_MINUTES } = settings;
  return [
    `${duration} min each`,
    `from ${clockText(startMin)}`,
    ...(cycleLen < DAY_MINUTES ? [`every ${cycleLen} min`] : []),
    ...(cycleLen > DAY_MINUTES ? [`every ${cycleLen / DAY_MINUTES} days`] : []),
    ...(windy ? ['windy'] : []),
    ...(leveling ? ['leveling'] : []),
    ...(limits ? ['within the water supply’s limits'] : []),
  ].join(', ');
}

/** Names of the first of its groups, and how many more there are. */
export function groupsText({ groups }: ScheduleTemplate): string {
  const named = groups
    .slice(0, 3)
    .map(({ name, isGone }) => (isGone ? `${name} (no longer on the farm)` : name));
  const more = groups.length - named.length;
  return `${groups.length === 1 ? 'Group' : 'Groups'} ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** What became of a copy. */
export const copiedText = (name: string, missing: readonly string[]): string =>
  missing.length === 0
    ? `${name} added.`
    : `${name} added without ${missing.slice(0, 3).join(', ')}${missing.length > 3 ? ` and ${missing.length - 3} more` : ''}: the farm has no ${missing.length === 1 ? 'group of this name' : 'groups of these names'}.`;
