import { commandTypes } from '@headrace/contract/command-types';
import { UNDO_WITHIN_MINUTES, type undoCommand } from '@headrace/contract/commands';
import type { BodyOf, ReplyOf } from '@headrace/contract/endpoint';
import { isInhibit } from '@headrace/device/lanes';
import type { FarmRow } from '../../db/schema.ts';
import { ApiFailure, conflict } from '../../http/errors.ts';
import { isAvailable } from './availability.ts';
import type { CommandsOptions, Sender } from './commands-options.ts';
import type { CommandsRepo } from './commands.repo.ts';
import type { CommandRow } from './read-commands.ts';
import { nobodyIsNull } from './released.ts';
import type { IntendedCommand } from './send-plan.ts';
import type { Sending } from './sending.ts';

const MINUTE_MS = 60_000;

/** Of a person who tapped Inhibit and did not mean it: all is as it was before. Where no gateway would take that, nothing is undone. */
export function createUndoInhibit(
  commands: CommandsRepo,
  { cancelQueued, onChanged, onStops }: Pick<CommandsOptions, 'cancelQueued' | 'onChanged' | 'onStops'>,
  { checkGateways, intend, sendNew }: Pick<Sending, 'checkGateways' | 'intend' | 'sendNew'>,
  theCommand: (farmId: number, uid: string, type: number) => Promise<CommandRow>,
) {
  return {
    async undo(
      farm: FarmRow,
      accountId: number,
      { commandId, type }: Omit<BodyOf<typeof undoCommand>, 'farmUID'>,
      now: Date,
    ): Promise<ReplyOf<typeof undoCommand>> {
      const row = await theCommand(farm.id, commandId, type);
      checkUndo(row, now);
      const key = { farmId: farm.id, commandId: row.id };
      const meant = await commands.undoneIf(farm.id, row.id, now);
      const intended = await uninhibitOf(farm, meant.uids);
      if (intended) checkGateways(intended, now);
      const { count: cancelled, changed } = await cancelQueued(key, accountId, now);
      onChanged(changed);
      const { uids, others, stayInhibited } = await commands.undoStops(farm.id, row.id, now);
      onStops(key);
      const by = { farm, accountId, requestId: undefined, now };
      const { commandId: sent, uninhibited, away } = await uninhibit(by, row.id, uids);
      if (cancelled + uids.length + stayInhibited === 0)
        throw conflict('Nothing of this Inhibit is left to undo: no sprinkler is inhibited any more.');
      // Somebody inhibited these while it was being undone, or they are out of service.
      const left = uids.length - uninhibited;
      return {
        cancelled,
        uninhibited,
        away,
        commandId: sent,
        asBefore: others + left,
        stayInhibited: stayInhibited + left,
      };
    },
  };

  /** None goes to those that are out of service. */
  async function uninhibitOf(farm: FarmRow, uids: string[]): Promise<IntendedCommand | null> {
    if (uids.length === 0) return null;
    const payload = { groupUID: 'FARM', uids };
    const asked = { farmUID: farm.uid, type: commandTypes.UninhibitGroup, payload };
    return intend(farm, asked).catch((error: unknown) => {
      if (error instanceof ApiFailure) return null;
      throw error;
    });
  }

  /** By now it is marked as undone: it is queued also where a gateway went away this moment. */
  async function uninhibit(
    by: Sender,
    inhibitId: number,
    uids: string[],
  ): Promise<{ commandId: string | null; uninhibited: number; away: number }> {
    const intended = await uninhibitOf(by.farm, uids);
    const how = { undoes: inhibitId, note: 'Undone: the Inhibit before it was not meant.' };
    const sent = intended && (await sendNew(by, { ...intended, ...how }).catch(nobodyIsNull));
    if (!sent) return { commandId: null, uninhibited: 0, away: 0 };
    const { units, gateways } = intended.found;
    const there = new Set(
      gateways.filter((gateway) => isAvailable(gateway, by.now)).map(({ deviceId }) => deviceId),
    );
    return {
      commandId: sent.commandId,
      uninhibited: units.length,
      away: units.filter(({ gatewayId }) => !there.has(gatewayId)).length,
    };
  }
}

/** Throws a 409. */
function checkUndo({ type, createdAt }: Pick<CommandRow, 'type' | 'createdAt'>, now: Date): void {
  if (!isInhibit(type)) throw conflict('Only an Inhibit can be undone.');
  if (now.getTime() - createdAt.getTime() > UNDO_WITHIN_MINUTES * MINUTE_MS)
    throw conflict(
      `This was done more than ${UNDO_WITHIN_MINUTES} minutes ago. Please send Uninhibit instead.`,
    );
}
