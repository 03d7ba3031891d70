import { cancelCommand, getCommand, listCommands, sendCommand } from '@headrace/contract/commands';
import type { Mount } from '../../http/mount.ts';
import type { CommandsService } from './commands.service.ts';

export function commandsRoutes(mount: Mount, commands: CommandsService): void {
  mount(sendCommand, ({ farm, caller, body, now }) => commands.send(farm.farm, caller.accountId, body, now));
  mount(listCommands, ({ farm, query }) => commands.list(farm.farmId, query));
  mount(getCommand, ({ farm, query, now }) => commands.detail(farm.farmId, query, now));
  mount(cancelCommand, ({ farm, body, now }) => commands.cancel(farm.farmId, body.commandId, body.type, now));
}
