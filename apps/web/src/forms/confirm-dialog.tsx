import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { errorText } from '../api/client.ts';
import { toast } from '../ui/toasts.ts';
import { Dialog, Ways } from './dialog.tsx';
import { DangerButton } from './danger-button.tsx';
import { useTypedName } from './typed-name.tsx';
import classes from './dialog-content.module.css';

export interface ConfirmDialogProps<R> {
  title: string;
  /** What will happen. */
  children: ReactNode;
  confirm: string;
  /** The confirming button while it is done: "Deleting…". */
  doing: string;
  /** It can't be undone. */
  isFinal?: boolean | undefined;
  /** It can be undone, here and in the history. */
  isUndoable?: boolean | undefined;
  /** A name that has to be typed first. */
  typed?: string | undefined;
  run: () => Promise<R>;
  onDone: (reply: R) => void;
  /** A toast instead of what the server says. */
  failed?: string | undefined;
  onClose: () => void;
}

/** Where a dialog takes much away. */
export const UNDOABLE_TEXT = 'It can be undone for 30 days: here at once, later in the history of changes.';

/** And where that is `MUCH_FROM` devices or more. */
export const BACKED_UP_TEXT = 'A backup of the farm is made first.';

/** Says what will happen, and asks once. */
export function ConfirmDialog<R>(props: ConfirmDialogProps<R>) {
  const { title, children, confirm, doing, isFinal = false, run, onDone, failed, onClose } = props;
  const { isUndoable = false, typed } = props;
  const { field, isTyped, ask } = useTypedName(typed);
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
      {isUndoable && <p className={classes.text}>{UNDOABLE_TEXT}</p>}
      {field}
      {isError && !failed && (
        <p className={classes.failed} role="alert">
          {errorText(error)}
        </p>
      )}
      <Ways>
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        {isFinal || isUndoable ? (
          <DangerButton
            isReady={isTyped && !isPending}
            onPress={() => mutate()}
            onNotReady={isPending ? undefined : ask}
          >
            {isPending ? doing : confirm}
          </DangerButton>
        ) : (
          <Button aria-disabled={isPending} onClick={() => !isPending && mutate()}>
            {isPending ? doing : confirm}
          </Button>
        )}
      </Ways>
    </Dialog>
  );
}
