import type { Backup, RestorePlan, RestoreRow } from '@headrace/contract/backups';
import { countText, wholeText } from '@headrace/contract/rules/number-text';

export const restoreLabels = {
  'come back': 'Comes back',
  'change back': 'Changed back',
  'take off': 'Taken off',
  stay: 'Stays',
} as const satisfies Record<RestoreRow['action'], string>;

/** "3 come back, 2 are changed back, 1 is taken off, 1 stays as it is." */
export function restoreText({ counts }: RestorePlan): string {
  const { stay } = counts;
  const [back, changed, off] = [counts['come back'], counts['change back'], counts['take off']];
  const parts = [
    back > 0 && `${wholeText(back)} ${back === 1 ? 'comes' : 'come'} back`,
    changed > 0 && `${wholeText(changed)} ${changed === 1 ? 'is' : 'are'} changed back`,
    off > 0 && `${wholeText(off)} ${off === 1 ? 'is' : 'are'} taken off the farm`,
    stay > 0 && `${wholeText(stay)} ${stay === 1 ? 'stays as it is' : 'stay as they are'}`,
  ].filter((part) => part !== false);
  const all = parts.length > 0 ? `${parts.join(', ')}.` : '';
  return back + changed + off === 0 ? `Nothing would change. ${all}`.trim() : all;
}

const kinds: Readonly<Record<keyof Backup['counts'], readonly [one: string, more: string]>> = {
  sprinklers: ['sprinkler', 'sprinklers'],
  gateways: ['gateway', 'gateways'],
  repeaters: ['repeater', 'repeaters'],
  sensors: ['sensor', 'sensors'],
  pois: ['point of interest', 'points of interest'],
  groups: ['group', 'groups'],
  schedules: ['schedule set', 'schedule sets'],
  templates: ['template', 'templates'],
};

/** "300 sprinklers, 2 gateways, 12 groups" */
export function contentText({ counts }: Pick<Backup, 'counts'>): string {
  const parts = Object.entries(counts).flatMap(([kind, n]) => {
    const [one, more] = kinds[kind as keyof Backup['counts']];
    return n > 0 ? countText(n, one, more) : [];
  });
  return parts.length > 0 ? parts.join(', ') : 'No devices';
}

/** By the log of changes: what differs is seen in the plan of a restore. */
export function changedText({ changedSince: n }: Pick<Backup, 'changedSince'>): string {
  if (n === 0) return 'Nothing changed since';
  return `${countText(n, 'record')} changed since`;
}

export const notCreatedText = 'Sorry, cant create a back up of the farm config!';
export const notRestoredText = (name: string) =>
  `Sorry, the Farm configuration couldn't be replaced to the backup name: ${name}!`;
export const notRemovedText = (name: string) => `Sorry, backup ${name} couldn't be removed!`;
/** One without a description is called by its time. */
export const nameOf = ({ desc, createdAt }: Pick<Backup, 'desc' | 'createdAt'>) => desc || createdAt;
