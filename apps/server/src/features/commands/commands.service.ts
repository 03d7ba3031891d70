import type {
  cancelCommand,
  Command,
  CommandRequest,
  PlanFinding,
  sendAgain,
  sendCommand,
  SendPlan,
} from '@headrace/contract/commands';
import type { BodyOf, ReplyOf } from '@headrace/contract/endpoint';
import type { FarmRow } from '../../db/schema.ts';
import { conflict } from '../../http/errors.ts';
import { checkAgain, onlyNotDone } from './again.ts';
import { createCommandViews } from './command-views.ts';
import type { CommandsOptions, Sent } from './commands-options.ts';
import type { CommandsRepo } from './commands.repo.ts';
import { createGoBack } from './go-back-commands.ts';
import { createHoldCommands } from './hold-commands.ts';
import { toCommand } from './present.ts';
import { createPumpsFirst } from './pumps-first.ts';
import { createSending, lifeOf } from './sending.ts';
import type { IntendedCommand } from './send-plan.ts';
import type { TargetsRepo } from './targets.repo.ts';
import { createUndoInhibit } from './undo-inhibit.ts';

/** The worst come first; all are beside the template. */
const SUPPLY_FINDINGS = 5;

export interface Seer {
  readonly farm: Pick<FarmRow, 'id' | 'uid'>;
  readonly accountId: number;
}

/** What people ask of commands. */
export function createCommandsService(
  commands: CommandsRepo,
  targets: TargetsRepo,
  options: CommandsOptions,
) {
  const sending = createSending(commands, targets, options);
  const { deliverTo, intend, sendOnce } = sending;
  const pumps = createPumpsFirst(options.relays, targets, sending);
  const { theCommand, ...views } = createCommandViews(commands, options);

  /** What its set asks of the farm's water supply beyond what that gives. */
  async function supplyFindings(farm: FarmRow, { found }: IntendedCommand): Promise<PlanFinding[]> {
    const setId = found.schedules?.setId ?? null;
    if (setId === null) return [];
    const texts = await options.beyondSupply(farm, setId);
    return texts
      .slice(0, SUPPLY_FINDINGS)
      .map((text) => ({ kind: 'beyondSupply', text: `The set as a whole: ${text}`, count: 0, names: [] }));
  }

  return {
    ...views,
    ...createHoldCommands(sending),
    ...createGoBack(commands, targets, sending, theCommand),
    ...createUndoInhibit(commands, options, sending, theCommand),

    unseen: commands.unseen,
    unitsUnderWay: commands.unitsUnderWay,

    /** Their other pages hear of it. */
    async see({ farm, accountId }: Seer, uid: string, now: Date): Promise<void> {
      const { id, uid: commandId } = await theCommand(farm.id, uid);
      await commands.see({ farmId: farm.id, accountId }, id, now);
      options.toAccount(accountId, { type: 'command_seen', data: { farmUID: farm.uid, commandId } });
    },

    async send(
      farm: FarmRow,
      accountId: number,
      request: CommandRequest,
      now: Date,
    ): Promise<ReplyOf<typeof sendCommand>> {
      const by = { farm, accountId, requestId: request.requestId, now };
      const intended = await intend(farm, request);
      await pumps.off(by, intended);
      const sent = await sendOnce(by, intended);
      const behind = await commands.behind(farm.id, sent.commandId);
      return { ...sent, ...(behind && { behind }) };
    },

    /** Once more, to those of its units that failed. */
    async again(
      farm: FarmRow,
      accountId: number,
      { commandId, type, requestId }: Omit<BodyOf<typeof sendAgain>, 'farmUID'>,
      now: Date,
    ): Promise<Sent> {
      const row = await theCommand(farm.id, commandId, type);
      checkAgain(row, now);
      const failed = await commands.notDone(farm.id, row.id);
      const { maxOpenMinutes, serialNumber } = row;
      const payload = { ...failed.payload, ...(maxOpenMinutes !== null && { maxOpenMinutes }) };
      const whole = await intend(farm, { farmUID: farm.uid, type, serialNumber, payload });
      const ids = failed.units.map(({ deviceId }) => deviceId);
      const some = onlyNotDone(whole, failed, await targets.wantedOf(farm.id, ids));
      const lifeMs = lifeOf(some.name, some.payload, some.found);
      return sendOnce({ farm, accountId, requestId, now }, { ...some, lifeMs });
    },

    /** What sending it would do. */
    async plan(farm: FarmRow, request: CommandRequest, now: Date): Promise<SendPlan> {
      const intended = await intend(farm, request);
      const [plan, ofPumps, ofSupply] = await Promise.all([
        options.plan(intended, now),
        pumps.findings(intended, now),
        supplyFindings(farm, intended),
      ]);
      return { ...plan, findings: [...ofPumps, ...ofSupply, ...plan.findings] };
    },

    async cancel(
      farmId: number,
      accountId: number,
      { commandId, type }: Pick<BodyOf<typeof cancelCommand>, 'commandId' | 'type'>,
      now: Date,
    ): Promise<{ cancelled: number }> {
      const row = await theCommand(farmId, commandId, type);
      const key = { farmId, commandId: row.id };
      const { count, changed } = await options.cancelQueued(key, accountId, now);
      if (count === 0) throw conflict(tooLateText(toCommand(row)));
      options.onChanged([...changed, ...(await options.stopUnstopped())]);
      options.onStops(key);
      deliverTo(farmId, {
        gateways: (await targets.gateways(farmId)).filter(({ isOnline }) => isOnline),
      });
      return { cancelled: count };
    },
  };
}

/** One that waits and can't be cancelled was given to a gateway, or is being: whether that one has it isn't known. */
function tooLateText({ state, title, message }: Command): string {
  const how = state === 'queued' ? `${title}: a gateway may have it already.` : message;
  return `Nothing is left to cancel: ${how}`;
}

export type CommandsService = ReturnType<typeof createCommandsService>;
