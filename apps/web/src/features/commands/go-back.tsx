import { useState } from 'react';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Command } from '@headrace/contract/commands';
import { commandNeeds, commandTypes, type UnitState } from '@headrace/contract/command-types';
import { randomHex } from '../../api/random-hex.ts';
import { useMissing } from '../../api/reach.ts';
import { useCan } from '../../access/permissions.ts';
import { useGoBack } from './commands.queries.ts';
import { commandFailureText } from './send-command.ts';
import classes from './command-drawer.module.css';

interface Props {
  command: Command;
  /** How many of its units stand how. */
  states: Partial<Record<UnitState, number>>;
  /** Where what becomes of it is shown in this one's place; absent: a link leads to it. */
  onSent?: ((commandId: string) => void) | undefined;
}

/** Of a send of schedules that was cancelled half-way: the way back for those that it reached. */
export function GoBack({ command, states, onSent }: Props) {
  const may = useCan(commandNeeds.SendScheduleSet, command.farmUID);
  const isAway = useMissing() !== null;
  // However often it is pressed, it is one command.
  const [requestId] = useState(() => randomHex(16));
  const back = useGoBack(command, requestId);
  const { done = 0, sent = 0, accepted = 0, failed = 0, expired = 0, cancelled = 0 } = states;
  const out = sent + accepted + failed + expired;
  if (command.type !== commandTypes.SendScheduleSet || cancelled === 0 || done + out === 0 || !may)
    return null;
  if (back.data)
    return (
      <p className={classes.message} role="status">
        Sent: they go back.{' '}
        <Link
          to="/commands/$farmUID"
          params={{ farmUID: command.farmUID }}
          search={{ command: back.data.commandId }}
        >
          See how far it is
        </Link>
      </p>
    );
  return (
    <>
      <p className={classes.message}>{goBackText(done, out)}</p>
      {back.isError && (
        <p className={classes.refused} role="alert">
          {commandFailureText(back.error, 'SendScheduleSet')}
        </p>
      )}
      <Button
        variant="default"
        className={classes.cancel}
        disabled={isAway}
        aria-disabled={back.isPending || undefined}
        onClick={() =>
          !back.isPending && back.mutate(undefined, { onSuccess: ({ commandId }) => onSent?.(commandId) })
        }
      >
        Go back
      </Button>
    </>
  );
}

/** Whom it would send something: those that are out may have taken it. */
function goBackText(done: number, out: number): string {
  const others = out === 1 ? '1 that has not confirmed it' : `${out} that have not confirmed it`;
  const who =
    out === 0
      ? `${done} ${done === 1 ? 'sprinkler' : 'sprinklers'}`
      : `${done} ${done === 1 ? 'sprinkler' : 'sprinklers'} and ${others}`;
  return `${who} may water by the new schedule, the others by the old one. Go back sends them what they had before.`;
}
