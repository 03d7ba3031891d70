import { AGAIN_WITHIN_HOURS, canGoAgain } from '@headrace/contract/command-types';
import { scheduleCrc } from '@headrace/device/schedule-crc';
import { conflict } from '../../http/errors.ts';
import type { Programme } from '../programmes/programmes.repo.ts';
import type { NewUnit } from './commands.repo.ts';
import type { CommandRow } from './read-commands.ts';
import type { NotDone } from './not-done.ts';
import type { IntendedCommand } from './send-plan.ts';

const HOUR_MS = 3_600_000;
const AGAIN_NOTE = 'Sent again, to those that failed or ran out of time before.';

/** Throws a 409 for what is not sent a second time. */
export function checkAgain({ type, stateAt }: Pick<CommandRow, 'type' | 'stateAt'>, now: Date): void {
  if (!canGoAgain(type)) throw conflict('This command cannot be sent again to some of its units.');
  if (now.getTime() - stateAt.getTime() > AGAIN_WITHIN_HOURS * HOUR_MS)
    throw conflict('This command is older than a day. Please plan and send it anew.');
}

/**
 * The command, for those of its units that failed and that it is still meant for: who left the group or is out of service by now,
 * or was sent another schedule since, is left out. Of a whole farm's set nothing but these units changes. Throws a 409 when none
 * is left.
 */
export function onlyNotDone(
  intended: IntendedCommand,
  { units: failed }: NotDone,
  wanted: ReadonlyMap<number, Programme>,
): IntendedCommand {
  const { found } = intended;
  const crcs = new Map(failed.map(({ deviceId, crc }) => [deviceId, crc]));
  const isMeant = (unit: NewUnit) => {
    if (unit.crc === undefined) return true;
    const { entries } = wanted.get(unit.deviceId) ?? { entries: [] };
    return unit.crc === crcs.get(unit.deviceId) && scheduleCrc(entries) === unit.crc;
  };
  const units = found.units.filter((unit) => crcs.has(unit.deviceId) && isMeant(unit));
  if (units.length === 0)
    throw conflict('No sprinkler is left that failed and that this command is still meant for.');
  const gatewayIds = new Set(units.map(({ gatewayId }) => gatewayId));
  return {
    ...intended,
    note: AGAIN_NOTE,
    found: {
      name: found.units.length === 1 ? found.name : `${units.length} of ${found.name}`,
      serialNumber: found.serialNumber,
      units,
      gateways: found.gateways.filter(({ deviceId }) => gatewayIds.has(deviceId)),
      ...(found.schedules && { schedules: { ...found.schedules, isWholeFarm: false } }),
    },
  };
}
