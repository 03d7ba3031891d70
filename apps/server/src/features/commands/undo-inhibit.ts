import { commandTypes } from '@headrace/contract/command-types';
import { UNDO_WITHIN_MINUTES, type undoCommand } from '@headrace/contract/commands';
import type { BodyOf, ReplyOf } from '@headrace/contract/endpoint';
import { isInhibit } from '@headrace/device/lanes';
import type { FarmRow } from '../../db/schema.ts';
import { conflict } from '../../http/errors.ts';
import type { CommandsOptions, Sender, Sent } from './commands-options.ts';
import type { CommandsRepo } from './commands.repo.ts';
import type { CommandRow } from './read-commands.ts';
import { nobodyIsNull } from './released.ts';
import type { Sending } from './sending.ts';

const MINUTE_MS = 60_000;

/** Of a person who tapped Inhibit and did not mean it: all is as it was before. */
export function createUndoInhibit(
  commands: CommandsRepo,
  { cancelQueued, onChanged, onStops }: Pick<CommandsOptions, 'cancelQueued' | 'onChanged' | 'onStops'>,
  { intend, sendOnce }: Pick<Sending, 'intend' | 'sendOnce'>,
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
      const { count: cancelled, changed } = await cancelQueued(key, now);
      onChanged(changed);
      const { uids, others, stayInhibited } = await commands.undoStops(farm.id, row.id, now);
      onStops(key);
      const by = { farm, accountId, requestId: undefined, now };
      const sent = uids.length > 0 ? await uninhibit(by, row.id, uids).catch(nobodyIsNull) : null;
      if (sent)
        return {
          cancelled,
          uninhibited: uids.length,
          commandId: sent.commandId,
          asBefore: others,
          stayInhibited,
        };
      if (cancelled + uids.length + stayInhibited === 0)
        throw conflict('Nothing of this Inhibit is left to undo: no sprinkler is inhibited any more.');
      // Somebody inhibited these while it was being undone.
      const left = { asBefore: others + uids.length, stayInhibited: stayInhibited + uids.length };
      return { cancelled, uninhibited: 0, commandId: null, ...left };
    },
  };

  async function uninhibit(by: Sender, inhibitId: number, uids: string[]): Promise<Sent> {
    const payload = { groupUID: 'FARM', uids };
    const asked = { farmUID: by.farm.uid, type: commandTypes.UninhibitGroup, payload };
    const intended = await intend(by.farm, asked);
    return sendOnce(by, {
      ...intended,
      undoes: inhibitId,
      note: 'Undone: the Inhibit before it was not meant.',
    });
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
