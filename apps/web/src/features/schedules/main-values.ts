import { MAIN_NAME_MAX, MAINS_MAX } from '@headrace/contract/limits';
import { all, atMost, isNumber, line, required } from '@headrace/contract/rules/form-rules';
import type { Main } from '@headrace/contract/rules/schedule/plan';
import type { WaterMain } from '@headrace/contract/schedule-templates';
import { type EnteredNumber, enteredNumber } from '../../forms/fields.tsx';
import type { NamedGroup } from './plan-result.ts';

/** A main as it stands in its fields. */
export interface EnteredMain {
  readonly name: string;
  readonly maxLps: EnteredNumber;
  /** By uid. */
  readonly groups: readonly string[];
}

export const NO_MAIN: EnteredMain = { name: '', maxLps: '', groups: [] };

export const enteredMains = (mains: readonly Main[] = []): EnteredMain[] =>
  mains.map(({ name, maxLps, groups }) => ({ name, maxLps, groups: [...groups] }));

/** Of mains that nothing is wrong with. */
export const mainsOf = (mains: readonly EnteredMain[]): WaterMain[] =>
  mains.map(({ name, maxLps, groups }) => ({
    name: name.trim(),
    maxLps: Number(maxLps),
    groups: [...groups],
  }));

const nameRule = all(required('Name of the main'), line('Name of the main', MAIN_NAME_MAX));
const flowRule = all(required('Flow'), isNumber('Flow'), atMost('Flow', 100_000, ' L/s'));

/** The first fault of any; null: there is none. */
export function validateMains(mains: readonly EnteredMain[]): string | null {
  if (mains.length > MAINS_MAX) return `At most ${MAINS_MAX} can be entered.`;
  const faults = mains.map(
    ({ name, maxLps, groups }) =>
      nameRule(name) ??
      flowRule(maxLps) ??
      (Number(maxLps) > 0 ? null : 'Flow must be more than 0 L/s.') ??
      (groups.length > 0 ? null : 'Each main needs a group.'),
  );
  return faults.find((fault) => fault !== null) ?? null;
}

/** "West, 12 L/s: North, South". */
export function mainText({ name, maxLps, groups }: EnteredMain, known: readonly NamedGroup[]): string {
  const flow = enteredNumber(maxLps);
  return `${name}, ${flow === null ? '? ' : flow} L/s: ${groupNames(groups, known) || countText(groups)}`;
}

/** Their names may not be known: still on their way, or not for this person to see. */
export const countText = ({ length }: readonly string[]): string =>
  length === 0 ? 'no group' : `${length} ${length === 1 ? 'group' : 'groups'}`;

/** As the farm lists them. */
export const groupNames = (uids: readonly string[], known: readonly NamedGroup[]): string =>
  known
    .filter(({ uid }) => uids.includes(uid))
    .map(({ name }) => name)
    .join(', ');
