import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { errorText } from '../../api/client.ts';
import { Dialog, Ways } from '../../forms/dialog.tsx';
import { toast } from '../../ui/toasts.ts';
import classes from './device-dialogs.module.css';

export interface ConfirmDialogProps<R> {
  title: string;
  /** What will happen. */
  children: ReactNode;
  confirm: string;
  /** The confirming button while it is done: "Deleting…". */
  doing: string;
  /** It can't be undone. */
  isFinal?: boolean | undefined;
  run: () => Promise<R>;
  onDone: (reply: R) => void;
  /** A toast instead of what the server says. */
  failed?: string | undefined;
  onClose: () => void;
}

/** Says what will happen, and asks once. */
export function ConfirmDialog<R>(props: ConfirmDialogProps<R>) {
  const { title, children, confirm, doing, isFinal = false, run, onDone, failed, onClose } = props;
  const { mutate, isPending, isError, error } = useMutation({
    mutationFn: run,
    onSuccess: (reply) => {
      onClose();
      onDone(reply);
    },
    onError: () => failed && toast.error(failed),
  });
  return (
    <Dialog onClose={onClose} title={title}>
      <div className={classes.text}>{children}</div>
      {isFinal && <p className={classes.final}>This action cannot be undone!</p>}
      {isError && !failed && (
        <p className={classes.failed} role="alert">
          {errorText(error)}
        </p>
      )}
      <Ways>
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button
          {...(isFinal && { color: 'red' })}
          aria-disabled={isPending}
          onClick={() => !isPending && mutate()}
        >
          {isPending ? doing : confirm}
        </Button>
      </Ways>
    </Dialog>
  );
}
