import type { CommandName } from '@headrace/contract/command-types';
import { needs } from '@headrace/contract/permissions';
import { useCan } from '../../access/permissions.ts';
import { CommandOutcome } from '../commands/command-outcome.tsx';
import { titleOf, type UnitCommands } from './use-unit-commands.ts';
import classes from './sprinkler-dialog.module.css';

interface Props {
  farmUID: string;
  commands: UnitCommands;
  /** Of these, what was sent from here. */
  of: (command: CommandName) => boolean;
}

/** What became of what was sent from the dialog, beside the button that sent it. */
export function SentOutcomes({ farmUID, commands, of }: Props) {
  const canRead = useCan(needs.readCommands, farmUID);
  return (
    <ul className={classes.outcomes} aria-live="polite" aria-label="What became of it">
      {[...commands.sent]
        .filter(([command]) => of(command))
        .map(([command, sent]) => (
          <li key={command}>
            <b>{titleOf(command)}:</b>{' '}
            {'error' in sent ? (
              sent.error
            ) : (
              <CommandOutcome farmUID={farmUID} commandId={sent.commandId} canRead={canRead} />
            )}
          </li>
        ))}
    </ul>
  );
}
