import type { FileUnit } from '@headrace/contract/rules/files/file-units';
import type { ContentDevice } from './farm-content.repo.ts';

export interface FarmGroup {
  readonly name: string;
  readonly is_lateral: boolean;
}
/** By name in small letters. */
export type FarmGroups = ReadonlyMap<string, FarmGroup>;

const GROUP_NAME_MAX = 40;

/**
 * Names of the groups that the unit would be in, sorted; a sentence where that can't be. A file puts units into groups and takes them out of
 * none, but for the lateral group: of these a sprinkler has one, so the file's takes the place of the other.
 */
export function groupsAfter(
  { groups: said, kind }: FileUnit,
  device: ContentDevice | null,
  farm: FarmGroups,
  mayAdd: boolean,
): string[] | string {
  const now = device?.groups.map(({ name }) => name) ?? [];
  if (kind !== 'sprinkler' || said === undefined) return now.toSorted();
  const named = namesIn(said, farm).map((name) => farm.get(name.toLowerCase())?.name ?? name);
  const unknown = named.find((name) => !farm.has(name.toLowerCase()));
  if (unknown !== undefined && !mayAdd)
    return `The farm has no group ${unknown}, and you may not add groups.`;
  if (unknown !== undefined && Array.from(unknown).length > GROUP_NAME_MAX)
    return `A group's name can have at most ${GROUP_NAME_MAX} characters.`;
  if (named.some((name) => name.toUpperCase() === 'FARM')) return 'FARM stands for all: it is no group.';
  const isLateral = (name: string) => farm.get(name.toLowerCase())?.is_lateral === true;
  const laterals = named.filter(isLateral);
  if (laterals.length > 1)
    return `A sprinkler can be in one lateral group only, and these are lateral: ${laterals.join(', ')}.`;
  const kept = laterals.length > 0 ? now.filter((name) => !isLateral(name)) : now;
  return [...new Set([...kept, ...named])].toSorted();
}

/** Apart by |, which is written \| within a name; else the whole, where there is such a group; else by commas or semicolons. */
function namesIn(said: string, farm: FarmGroups): string[] {
  const parts = said.split(/(?<!\\)\|/).map((part) => part.replaceAll('\\|', '|').trim());
  const [first = '', ...others] = parts;
  if (others.length > 0 || farm.has(first.toLowerCase())) return parts.filter(Boolean);
  return first
    .split(/[;,]/)
    .map((part) => part.trim())
    .filter(Boolean);
}
