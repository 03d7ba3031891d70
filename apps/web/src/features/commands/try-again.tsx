import { useState } from 'react';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Command } from '@headrace/contract/commands';
import { AGAIN_WITHIN_HOURS, canGoAgain, commandName, commandNeeds } from '@headrace/contract/command-types';
import { needs } from '@headrace/contract/permissions';
import { randomHex } from '../../api/random-hex.ts';
import { useMissing } from '../../api/reach.ts';
import { useCan } from '../../access/permissions.ts';
import { useNow } from '../../ui/clock.ts';
import { useSendAgain } from './commands.queries.ts';
import { commandFailureText } from './send-command.ts';
import classes from './command-drawer.module.css';

const HOUR_MS = 3_600_000;

interface Props {
  command: Command;
  /** How many of its units did. */
  failed: number;
  /** Where what becomes of it is shown in this one's place; absent: a link leads to it. */
  onSent?: ((commandId: string) => void) | undefined;
}

/** Sends a command once more to those of its units that failed, for those who may send it. */
export function TryAgain({ command, failed, onSent }: Props) {
  const name = commandName(command.type);
  const may = useCan(name ? commandNeeds[name] : needs.operator, command.farmUID);
  const isAway = useMissing() !== null;
  // However often it is pressed, it is one command.
  const [requestId] = useState(() => randomHex(16));
  const again = useSendAgain(command, requestId);
  const isOld = useNow() - Date.parse(command.stateAt) > AGAIN_WITHIN_HOURS * HOUR_MS;
  if (!may || failed === 0 || isOld || !canGoAgain(command.type)) return null;
  if (again.data)
    return (
      <p className={classes.message} role="status">
        Sent again.{' '}
        <Link
          to="/commands/$farmUID"
          params={{ farmUID: command.farmUID }}
          search={{ command: again.data.commandId }}
        >
          See how far it is
        </Link>
      </p>
    );
  return (
    <>
      {again.isError && (
        <p className={classes.refused} role="alert">
          {commandFailureText(again.error, name)}
        </p>
      )}
      <Button
        variant="default"
        className={classes.cancel}
        disabled={isAway}
        aria-disabled={again.isPending || undefined}
        onClick={() =>
          !again.isPending && again.mutate(undefined, { onSuccess: ({ commandId }) => onSent?.(commandId) })
        }
      >
        {failed === 1 ? 'Try this one again' : `Try these ${failed} again`}
      </Button>
      {isAway && (
        <p className={classes.message}>
          There is no connection now. Commands can't go, and none is kept to be sent later.
        </p>
      )}
    </>
  );
}
