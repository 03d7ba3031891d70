import { commandTypes } from '@headrace/contract/command-types';
import { UNDO_WITHIN_MINUTES, type undoCommand } from '@headrace/contract/commands';
import type { BodyOf, ReplyOf } from '@headrace/contract/endpoint';
import { isInhibit } from '@headrace/device/lanes';
import type { FarmRow } from '../../db/schema.ts';
import { conflict } from '../../http/errors.ts';
import type { CommandsOptions } from './commands-options.ts';
import type { CommandsRepo } from './commands.repo.ts';
import type { CommandRow } from './read-commands.ts';
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
      const { uids, others } = await commands.undoStops(farm.id, row.id);
      onStops(key);
      if (cancelled + uids.length === 0)
        throw conflict('Nothing of this Inhibit is left: these sprinklers are as they were before it.');
      const reply = { cancelled, uninhibited: uids.length, commandId: null, asBefore: others };
      if (uids.length === 0) return reply;
      const payload = { groupUID: 'FARM', uids };
      const asked = { farmUID: farm.uid, type: commandTypes.UninhibitGroup, payload };
      const intended = {
        ...(await intend(farm, asked)),
        note: 'Undone: the Inhibit before it was not meant.',
      };
      const sent = await sendOnce({ farm, accountId, requestId: undefined, now }, intended);
      return { ...reply, commandId: sent.commandId };
    },
  };
}

/** Throws a 409. */
function checkUndo({ type, createdAt }: Pick<CommandRow, 'type' | 'createdAt'>, now: Date): void {
  if (!isInhibit(type)) throw conflict('Only an Inhibit can be undone.');
  if (now.getTime() - createdAt.getTime() > UNDO_WITHIN_MINUTES * MINUTE_MS)
    throw conflict(
      `This was done more than ${UNDO_WITHIN_MINUTES} minutes ago. Please send Uninhibit instead.`,
    );
}
