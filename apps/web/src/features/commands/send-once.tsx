import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { UseMutationResult } from '@tanstack/react-query';
import type { CommandName } from '@headrace/contract/command-types';
import { useMissing } from '../../api/reach.ts';
import { commandFailureText } from './send-command.ts';
import classes from './command-drawer.module.css';

type Sending = UseMutationResult<{ commandId: string }, Error, void>;

/** What was sent, with the way to what becomes of it. */
export function SentOnce({ farmUID, commandId, text }: { farmUID: string; commandId: string; text: string }) {
  return (
    <p className={classes.message} role="status">
      {text}{' '}
      <Link to="/commands/$farmUID" params={{ farmUID }} search={{ command: commandId }}>
        See how far it is
      </Link>
    </p>
  );
}

interface Props {
  sending: Sending;
  /** By which a refusal is told; undefined: a type that this page doesn't know. */
  name: CommandName | undefined;
  label: string;
  onSent?: ((commandId: string) => void) | undefined;
}

/** Sends a command that follows from another one, with why it was refused. Nothing is sent while there is no connection. */
export function SendOnce({ sending, name, label, onSent }: Props) {
  const isAway = useMissing() !== null;
  const send = () =>
    sending.mutate(undefined, { onSuccess: ({ commandId }: { commandId: string }) => onSent?.(commandId) });
  return (
    <>
      {sending.isError && (
        <p className={classes.refused} role="alert">
          {commandFailureText(sending.error, name)}
        </p>
      )}
      <Button
        variant="default"
        className={classes.cancel}
        disabled={isAway}
        aria-disabled={sending.isPending || undefined}
        onClick={() => !sending.isPending && send()}
      >
        {label}
      </Button>
      {isAway && (
        <p className={classes.message}>
          There is no connection now. Commands can't go, and none is kept to be sent later.
        </p>
      )}
    </>
  );
}
