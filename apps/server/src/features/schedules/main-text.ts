import type { WaterMain } from '@headrace/contract/schedule-templates';

/** Names of groups by uid. */
export type GroupNames = ReadonlyMap<string, string>;

/** A main as the farm's history shows it. */
export const mainText = ({ name, maxLps, groups: uids }: WaterMain, groups: GroupNames): string =>
  `${name}: ${maxLps} L/s (${uids.map((uid) => groups.get(uid) ?? '').join(', ')})`;

/** Without groups that are no longer there. */
export const mainsOnFarm = (mains: readonly WaterMain[], groups: Pick<GroupNames, 'has'>): WaterMain[] =>
  mains.map((main) => ({ ...main, groups: main.groups.filter((uid) => groups.has(uid)) }));
