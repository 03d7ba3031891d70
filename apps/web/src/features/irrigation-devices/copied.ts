import type { Ipc } from '@headrace/contract/irrigation-devices';
import type { ListedUnit } from '@headrace/contract/unit-list';
import { nextName, nextPlace } from '@headrace/contract/rules/next-in-line';
import { placeOf } from '../../device-records/place-text.ts';
import { newIdentity } from '../devices/device-values.ts';
import { SHORT_NAME_MAX, type SprinklerValues, valuesOf } from './sprinkler-values.ts';

/**
 * What a new sprinkler begins with that stands behind one of the farm: all but serial number and MAC, the next name that is
 * free, and the next place where the one before it by name shows the line.
 */
export function copied(unit: Ipc, units: readonly ListedUnit[]): SprinklerValues {
  const before = units.find(({ name }) => nextName(name, SHORT_NAME_MAX) === unit.name);
  return {
    ...valuesOf(unit),
    ...newIdentity,
    name: nextName(unit.name, SHORT_NAME_MAX, new Set(units.map(({ name }) => name))),
    place: nextPlace(before && placeOf(before), placeOf(unit)),
  };
}
