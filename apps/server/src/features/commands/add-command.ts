import { commandTypes } from '@headrace/contract/command-types';
import { isInhibit, isValveOn, laneOf, lanes } from '@headrace/device/lanes';
import { newUid } from '../../db/ids.ts';
import type { AddedCommand, CommandsOptions, Sender } from './commands-options.ts';
import type { CommandsRepo } from './commands.repo.ts';
import { openMinutesFor } from './open-minutes.ts';
import type { IntendedCommand } from './send-plan.ts';
import type { TargetsRepo } from './targets.repo.ts';
import { longestWatering } from './targets.ts';
import { isUninhibit } from './uninhibit.ts';

type Options = Pick<CommandsOptions, 'inOrder' | 'firstFinish' | 'onStops'>;

/** Queues a command as it was intended: in which order its units are reached, how long its valves may stay open, whom it lets water. */
export function createAddCommand(commands: CommandsRepo, targets: TargetsRepo, options: Options) {
  return async function add(by: Sender, intended: IntendedCommand): Promise<AddedCommand> {
    const { farm, accountId, requestId, now, hold } = by;
    const { name, found, lifeMs } = intended;
    const {
      hideNotification = false,
      resultMessage,
      maxOpenMinutes,
      beginWithinMinutes: _life,
      ...rest
    } = intended.payload;
    const type = commandTypes[name];
    const lane = laneOf(type, rest);
    const uid = newUid(now);
    const isLong = lane === lanes.many && found.units.length > 1;
    const [units, firstFinish] = await Promise.all([
      found.units.length > 1 ? options.inOrder(intended, now) : found.units,
      isLong ? options.firstFinish(intended, now) : undefined,
    ]);
    const limit = isValveOn(type)
      ? openMinutesFor(maxOpenMinutes ?? (await longestWatering(targets, farm.id, units)), found.gateways)
      : null;
    const lifts = liftedBy(intended);
    const added = await commands.add(
      {
        farmId: farm.id,
        uid,
        accountId,
        type,
        name: found.name,
        serialNumber: found.serialNumber,
        payload: {
          ...(accountId === null && { automatic: true }),
          ...rest,
          ...(found.schedules && { cycleLen: found.schedules.cycleDays }),
        },
        maxOpenMinutes: limit,
        hideNotification: hideNotification || name === 'Ping' || accountId === null,
        resultMessage: resultMessage ?? null,
        createdAt: now,
        expiresAt: new Date(now.getTime() + lifeMs),
        requestId,
        note: intended.note,
        ...(firstFinish && { firstFinish }),
      },
      units,
      {
        farmId: farm.id,
        name,
        lane,
        payload: rest,
        deviceIds: units.map(({ deviceId }) => deviceId),
        lifts,
        isHold: hold?.is === 'begin',
        isRelease: hold?.is === 'end',
        stopsAfter: intended.stopsAfter,
        undoes: intended.undoes,
        at: now,
      },
      { schedules: found.schedules, within: hold && ((trx, key) => hold.keep(trx, key, found)) },
    );
    if (isInhibit(type) || lifts.size > 0 || added.isStoppedAgain)
      options.onStops({ farmId: farm.id, commandId: added.id });
    return { ...added, uid };
  };
}

/** Units that it lets water again, where they were inhibited. */
function liftedBy({ name, payload, found, letsAllWater = false }: IntendedCommand): ReadonlySet<number> {
  const isAll = letsAllWater || isUninhibit(name);
  const lifted = found.units.filter(
    ({ entries = [] }) => isAll || (payload.alsoInhibited && entries.length > 0),
  );
  return new Set(lifted.map(({ deviceId }) => deviceId));
}
