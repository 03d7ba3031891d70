import {
  cancelCommand,
  seeCommand,
  unitsUnderWay,
  unseenCommands,
  getCommand,
  listCommands,
  planCommand,
  goBackCommand,
  sendAgain,
  sendCommand,
  undoCommand,
} from '@headrace/contract/commands';
import { meets, needs } from '@headrace/contract/permissions';
import { idempotencyKeyOf } from '../../http/answer-once.ts';
import type { FarmAccess } from '../../http/access-gate.ts';
import type { Mount } from '../../http/mount.ts';
import type { CommandsService } from './commands.service.ts';

export function commandsRoutes(mount: Mount, commands: CommandsService): void {
  mount(sendCommand, async ({ farm, caller, body, request, now }) => {
    const requestId = body.requestId ?? idempotencyKeyOf(request);
    const asked = { ...body, ...(requestId && { requestId }) };
    const { behind, ...sent } = await commands.send(farm.farm, caller.accountId, asked, now);
    return behind && mayReadCommands(farm) ? { ...sent, behind } : sent;
  });
  mount(planCommand, async ({ farm, body, now }) => {
    const plan = await commands.plan(farm.farm, body, now);
    return plan.ahead.length === 0 || mayReadCommands(farm) ? plan : { ...plan, ahead: [SENT_BEFORE] };
  });
  mount(listCommands, ({ farm, query }) => commands.list(farm.farmId, query));
  mount(getCommand, ({ farm, query, now }) => commands.detail(farm.farmId, query, now));
  mount(unseenCommands, async ({ farm, caller, now }) => ({
    commands: await commands.unseen({ farmId: farm.farmId, accountId: caller.accountId }, now),
  }));
  mount(unitsUnderWay, ({ farm }) => commands.unitsUnderWay(farm.farmId));
  mount(seeCommand, async ({ farm, caller, body, now }) => {
    await commands.see({ farm: farm.farm, accountId: caller.accountId }, body.commandId, now);
    return { success: true };
  });
  mount(sendAgain, ({ farm, caller, body, request, now }) => {
    const requestId = body.requestId ?? idempotencyKeyOf(request);
    return commands.again(farm.farm, caller.accountId, { ...body, ...(requestId && { requestId }) }, now);
  });
  mount(goBackCommand, ({ farm, caller, body, request, now }) => {
    const requestId = body.requestId ?? idempotencyKeyOf(request);
    return commands.goBack(farm.farm, caller.accountId, { ...body, ...(requestId && { requestId }) }, now);
  });
  mount(undoCommand, ({ farm, caller, body, now }) => commands.undo(farm.farm, caller.accountId, body, now));
  mount(cancelCommand, ({ farm, caller, body, now }) =>
    commands.cancel(farm.farmId, caller.accountId, body, now),
  );
}

/** Who may send one and not read them isn't told what others sent, nor who they are. */
const mayReadCommands = ({ permissions }: FarmAccess) => meets(permissions, needs.readCommands);
const SENT_BEFORE = 'what was sent before';
