import { needs } from '@headrace/contract/permissions';
import type { ServerFrame } from '@headrace/contract/live';
import { commandTypes } from '@headrace/device/commands';
import type { LiveEvent } from '../../live/live-bus.ts';
import { neededForSprinklers } from '../../live/status-event.ts';
import type { StopsSince } from '../programmes/programmes.repo.ts';
import type { CommandKey, Settled, Swap } from './answers.ts';
import { createChangeNotices } from './change-notices.ts';
import { UNCHANGED } from './command-message.ts';
import type { CommandProgress } from './command-writer.ts';
import type { CommandsRepo } from './commands.repo.ts';
import type { CommandRow } from './read-commands.ts';
import { toCommand } from './present.ts';

export interface AnnounceOptions {
  commands: CommandsRepo;
  /** How the stops of a command's units stand now. */
  stopsOf: (farmId: number, commandId: number) => Promise<StopsSince[]>;
  farmUidOf: (farmId: number) => Promise<string | undefined>;
  toFarm: (events: LiveEvent[]) => void;
  toAccount: (accountId: number, frame: ServerFrame) => void;
  log: { warn(details: object, message: string): void };
}

const { anyOf } = needs.readCommands;

/** Tells open pages how commands stand now, and whoever sent one how it ended. */
export function createAnnounce({ commands, stopsOf, farmUidOf, toFarm, toAccount, log }: AnnounceOptions) {
  async function tell(changed: readonly CommandProgress[]): Promise<void> {
    const rows = (await commands.byKeys(changed)).filter(({ type }) => type !== commandTypes.Ping);
    toFarm(
      rows.map((row) => ({
        farmId: row.farmId,
        frame: { type: 'command_update', data: toCommand(row) },
        anyOf,
      })),
    );
    const ended = new Set(changed.filter(({ isFinished }) => isFinished).map(({ commandId }) => commandId));
    for (const row of rows)
      if (ended.has(row.id) && row.accountId !== null && !row.hideNotification)
        toAccount(row.accountId, { type: 'new_action_result', data: resultOf(row) });
    for (const row of rows) if (ended.has(row.id) && isSwapFailed(row)) await tellNoSwap(row);
  }

  /** The records are as before. */
  async function tellNoSwap(row: CommandRow): Promise<void> {
    const asked = await commands.swapAsked(row.farmId, row.id);
    if (!asked) return;
    const { farmUID, message } = toCommand(row);
    const data = { farmUID, success: false, ...asked, message };
    toFarm([{ farmId: row.farmId, frame: { type: 'ipc_swap_result', data }, anyOf }]);
  }

  async function tellSwap({ farmId, from, to }: Swap): Promise<void> {
    const farmUID = await farmUidOf(farmId);
    if (farmUID === undefined) return;
    const message = `${to.serial} took the place of ${from.serial}.`;
    toFarm([
      {
        farmId,
        frame: { type: 'ipc_swap_result', data: { farmUID, success: true, from, to, message } },
        anyOf,
      },
    ]);
  }

  async function tellStops({ farmId, commandId }: CommandKey): Promise<void> {
    const stops = await stopsOf(farmId, commandId);
    toFarm(stops.map((data) => ({ farmId, frame: { type: 'ipc_stops', data }, anyOf: neededForSprinklers })));
  }

  const failed = (error: unknown) => log.warn({ err: error }, 'command not announced');
  const told = createChangeNotices((changed) => tell(changed).catch(failed));
  const running = new Set<Promise<void>>();
  function quietly(work: Promise<void>): void {
    const task = work.catch(failed).finally(() => running.delete(task));
    running.add(task);
  }

  return {
    /** When all is told that is being told now. */
    async done(): Promise<void> {
      await Promise.all([told.done(), ...running]);
    },
    changed: told.add,
    /** Its units are wanted to water nothing from now on, or that is over. */
    stops: (command: CommandKey) => quietly(tellStops(command)),
    settled: ({ changed, swaps }: Settled) => {
      told.add(changed);
      for (const swap of swaps) quietly(tellSwap(swap));
    },
  };
}

/** Who took it back knows. */
const isSwapFailed = ({ type, state, note }: CommandRow) =>
  type === commandTypes.Replace &&
  (state === 'failed' || state === 'expired' || (state === 'done' && note.startsWith(UNCHANGED)));

function resultOf(row: CommandRow) {
  const { message, farmUID, _id: commandId, state } = toCommand(row);
  return { message, type: state === 'done' ? 'ack' : 'error', farmUID, commandId };
}
