import { LONG_NAME_MAX } from '@headrace/contract/rules/device-form';
import { line } from '@headrace/contract/rules/form-rules';
import { type FileUnit, shown } from '@headrace/contract/rules/files/file-units';
import { wholeText } from '@headrace/contract/rules/number-text';
import type { ContentDevice } from './farm-content.repo.ts';

export interface FarmGroup {
  readonly name: string;
  readonly is_lateral: boolean;
}
/** By name in small letters. */
export type FarmGroups = ReadonlyMap<string, FarmGroup>;

/** The rule of the form of groups. */
export const judgeGroupName = line('Group', LONG_NAME_MAX);

/** Names of groups that a unit would be in, sorted. */
export interface GroupsAfter {
  readonly groups: readonly string[];
  /** It would leave its lateral group for another one: where it would stay in that, and which they are. */
  readonly lateral: {
    readonly from: string;
    readonly to: string;
    readonly staying: readonly string[];
  } | null;
}

/**
 * The groups that the unit would be in; a sentence where that can't be. A file puts units into groups and takes them out of none, but for
 * the lateral group: of these a sprinkler has one, so people are asked whether the file's takes the place of the other.
 */
export function groupsAfter(
  { groups: said, kind }: FileUnit,
  device: ContentDevice | null,
  farm: FarmGroups,
  mayAdd: boolean,
): GroupsAfter | string {
  const now = device?.groups.map(({ name }) => name) ?? [];
  if (kind !== 'sprinkler' || said === undefined) return { groups: now.toSorted(), lateral: null };
  const named = namesIn(said, farm).map((name) => farm.get(name.toLowerCase())?.name ?? name);
  for (const name of named.filter((one) => !farm.has(one.toLowerCase()))) {
    if (!mayAdd)
      return `The farm has no group ${shown(name)}, and you may not add groups. Ask the farm's owner for that, or take it out.`;
    const fault = judgeGroupName(name);
    if (fault !== null) return `${shown(name)}: ${fault}`;
  }
  if (named.some((name) => name.toUpperCase() === 'FARM'))
    return 'FARM stands for all: it is no group. Take it out.';
  const isLateral = (name: string) => farm.get(name.toLowerCase())?.is_lateral === true;
  const laterals = named.filter(isLateral);
  if (laterals.length > 1)
    return `A sprinkler can be in one lateral group only, and these are lateral: ${laterals.join(', ')}. Leave one of them.`;
  const [to] = laterals;
  const from = now.find((name) => isLateral(name) && name !== to);
  const together = (...lists: readonly string[][]) => [...new Set(lists.flat())].toSorted();
  if (to === undefined || from === undefined) return { groups: together(now, named), lateral: null };
  const staying = together(
    now,
    named.filter((name) => name !== to),
  );
  const groups = together(
    now.filter((name) => !isLateral(name)),
    named,
  );
  return { groups, lateral: { from, to, staying } };
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

/** More are hardly meant: some other column was taken for the groups. */
const NEW_GROUPS_MAX = 500;

/** Names that units would be in and the farm, its groups by name in small letters, doesn't have. */
export function newGroups(
  units: readonly { readonly values: { readonly groups: readonly string[] } | null }[],
  farm: ReadonlyMap<string, unknown>,
): string[] {
  const named = units.flatMap(({ values }) => values?.groups ?? []);
  const names = new Map(named.map((name) => [name.toLowerCase(), name]));
  return [...names].flatMap(([key, name]) => (farm.has(key) ? [] : name));
}

/** A sentence where a file would make too many groups. */
export const judgeNewGroups = ({ length }: readonly string[]): string | null =>
  length > NEW_GROUPS_MAX
    ? `The file would add ${wholeText(length)} groups. The most is ${NEW_GROUPS_MAX}: please look at its column of groups.`
    : null;
