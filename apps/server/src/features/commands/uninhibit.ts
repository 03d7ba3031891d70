import { type CommandName, commandTypes } from '@headrace/contract/command-types';
import { commandLifetimeMs } from '@headrace/device/command-life';
import { commandOf } from '@headrace/device/commands';
import type { Programme } from '../programmes/programmes.repo.ts';
import { groupBy } from '../../group-by.ts';
import type { IntendedCommand } from './send-plan.ts';
import { withSchedule } from './targets.ts';

export const isUninhibit = (name: CommandName) => commandOf(name).water === 'uninhibits';

const INSTEAD_NOTE =
  'Sent instead of Uninhibit, which would start what was held before: this is what it is to water by now.';

/**
 * An Uninhibit lets a unit go on by what it held when it was stopped. Who isn't known to hold what it is to water by now
 * (`others`) is sent that instead: a command for each length of cycle, since a message names one; then the Uninhibit of those
 * that are left.
 */
export function uninhibits(
  intended: IntendedCommand,
  others: ReadonlyMap<number, Programme>,
): readonly IntendedCommand[] {
  const { found } = intended;
  const left = found.units.filter(({ deviceId }) => !others.has(deviceId));
  const instead = groupBy(
    found.units.filter(({ deviceId }) => others.has(deviceId)),
    ({ deviceId }) => others.get(deviceId)?.cycleDays ?? 1,
  ).map((units) => insteadFor(intended, units, others));
  return left.length === 0 ? instead : [...instead, { ...intended, found: { ...found, units: left } }];
}

function insteadFor(
  { found, payload, ...intended }: IntendedCommand,
  units: IntendedCommand['found']['units'],
  others: ReadonlyMap<number, Programme>,
): IntendedCommand {
  const { hideNotification = false, resultMessage } = payload;
  const isAll = units.length === found.units.length;
  const maxTtls = found.gateways.map(({ maxTtl }) => maxTtl);
  return {
    ...intended,
    name: 'UpdateSchedule',
    payload: { hideNotification, ...(resultMessage !== undefined && { resultMessage }), alsoInhibited: true },
    found: {
      ...found,
      ...(!isAll && { name: `${units.length} of ${found.name}` }),
      units: units.map((unit) => withSchedule(unit, others.get(unit.deviceId))),
      schedules: {
        setId: null,
        cycleDays: others.get(units[0]?.deviceId ?? 0)?.cycleDays ?? 1,
        isWholeFarm: false,
      },
    },
    lifeMs: commandLifetimeMs(commandTypes.UpdateSchedule, { unitsToDo: units.length, maxTtls }),
    letsAllWater: true,
    note: INSTEAD_NOTE,
  };
}
