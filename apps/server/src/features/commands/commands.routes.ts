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
import { idempotencyKeyOf } from '../../http/answer-once.ts';
import type { Mount } from '../../http/mount.ts';
import type { CommandsService } from './commands.service.ts';

export function commandsRoutes(mount: Mount, commands: CommandsService): void {
  mount(sendCommand, ({ farm, caller, body, request, now }) => {
    const requestId = body.requestId ?? idempotencyKeyOf(request);
    return commands.send(farm.farm, caller.accountId, { ...body, ...(requestId && { requestId }) }, now);
  });
  mount(planCommand, ({ farm, body, now }) => commands.plan(farm.farm, body, now));
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
