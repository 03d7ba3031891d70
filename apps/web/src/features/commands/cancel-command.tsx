import { useState } from 'react';
import { Button } from '@mantine/core';
import type { Command } from '@headrace/contract/commands';
import { commandName, commandNeeds, type UnitState } from '@headrace/contract/command-types';
import { isUnderWay } from '@headrace/contract/rules/under-way';
import { needs } from '@headrace/contract/permissions';
import { ApiError, errorText } from '../../api/client.ts';
import { useMissing } from '../../api/reach.ts';
import { toast } from '../../ui/toasts.ts';
import { useCan } from '../../access/permissions.ts';
import { cancelEffect, cancelResult } from './cancel-effect.ts';
import { useCancelCommand } from './commands.queries.ts';
import classes from './command-drawer.module.css';

const UNKNOWN_TEXT = "No answer came, so it isn't known whether it was cancelled.";

interface Props {
  command: Command;
  /** How many of its units stand how. */
  states: Partial<Record<UnitState, number>>;
}

/** The way to take back what still waits here, for those who may send such a command; the effect is said first. */
export function CancelCommand({ command, states }: Props) {
  const { queued = 0 } = states;
  const { waiting, cancelledBy } = command;
  const name = commandName(command.type);
  const may = useCan(name ? commandNeeds[name] : needs.operator, command.farmUID);
  const [isAsking, setIsAsking] = useState(false);
  const cancel = useCancelCommand(command);
  const isWaiting = queued + waiting > 0 || (command.total === 0 && command.state === 'queued');
  const isAway = useMissing() !== null;
  const isUnanswered = cancel.error instanceof ApiError && cancel.error.status === 0;
  const confirm = () =>
    cancel.mutate(undefined, {
      onSuccess: ({ cancelled }) => {
        toast.success(cancelledText(cancelled));
        // What still waits by the newest word of it is from before.
        setIsAsking(false);
      },
    });
  const result = cancelResult(states, command);
  // What waits later is asked about anew: the button under the finger would do something else.
  if (isAsking && !isWaiting) setIsAsking(false);
  return (
    <>
      {result !== null && (
        <p className={classes.message} role="status">
          {cancelledBy ? `${result} ${cancelledBy} cancelled it.` : result}
        </p>
      )}
      {/* Where nothing waits any more it is known what became of it. */}
      {cancel.isError && (isWaiting || !isUnanswered) && (
        <p className={classes.refused} role="alert">
          {isUnanswered ? UNKNOWN_TEXT : errorText(cancel.error)}
        </p>
      )}
      {may && !isWaiting && !result && isUnderWay(command) && command.total > 1 && (
        <p className={classes.message}>Too late to cancel: the gateway has it.</p>
      )}
      {may && isWaiting && (
        <Button
          variant="default"
          className={classes.cancel}
          aria-expanded={isAsking}
          onClick={() => setIsAsking(!isAsking)}
        >
          Cancel command
        </Button>
      )}
      {may && isWaiting && isAsking && (
        <div className={classes.ask} role="group" aria-label="Cancel command">
          <p role="status">{cancelEffect({ queued, waiting }, command.total)}</p>
          {isAway && <p>There is no connection now.</p>}
          <Button color="red" loading={cancel.isPending} disabled={isAway} onClick={confirm}>
            {queued + waiting > 1 ? `Cancel for ${queued + waiting} units` : 'Cancel it'}
          </Button>
          <Button variant="default" disabled={cancel.isPending} onClick={() => setIsAsking(false)}>
            Keep it
          </Button>
        </div>
      )}
    </>
  );
}

const cancelledText = (count: number) =>
  count > 1 ? `Command cancelled for ${count} units.` : 'Command cancelled.';
