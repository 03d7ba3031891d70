import type { Core, Feature } from '../../feature.ts';
import type { GatewayIo } from '../gateway-io/gateway-io.ts';
import type { SchedulesFeature } from '../schedules/schedules.feature.ts';
import { type Commands, createCommands } from './commands.ts';
import { forgetOldCommands } from './commands.repo.ts';
import { commandsRoutes } from './commands.routes.ts';

export interface CommandsFeature extends Feature {
  readonly commands: Commands;
}

const EACH_6_HOURS = 6 * 3_600_000;

/** What people tell their gateways and sprinklers to do. */
export function createCommandsFeature(
  core: Core,
  gatewayIo: Pick<GatewayIo, 'service'>,
  { beyondSupply }: Pick<SchedulesFeature, 'beyondSupply'>,
): CommandsFeature {
  const { ofJobs, now } = core;
  const commands = createCommands({
    ...core,
    publish: core.publishDown,
    relays: gatewayIo.service,
    beyondSupply,
  });
  return {
    commands,
    routes: (mount) => commandsRoutes(mount, commands.service),
    jobs: [{ name: 'commands', everyMs: EACH_6_HOURS, run: () => forgetOldCommands(ofJobs.db, now()) }],
    onHello: commands.hello,
    settle: commands.done,
  };
}
