import { accountCommands } from './account-commands.ts';
import type { Command } from './command.ts';
import { deviceCommands } from './device-commands.ts';
import { farmCommands } from './farm-commands.ts';
import { keyCommands } from './key-commands.ts';
import { installationCommands } from './installation-commands.ts';
import { seedCommands } from './seed/seed-commands.ts';
import { standingCommands } from './standing-commands.ts';

/** All but those of backups, which need no database that runs. */
export const commands: Record<string, Command> = {
  ...accountCommands,
  ...standingCommands,
  ...farmCommands,
  ...installationCommands,
  ...keyCommands,
  ...deviceCommands,
  ...seedCommands,
};
