import { Button } from '@mantine/core';
import { Dialog, Ways } from './dialog.tsx';
import classes from './forms.module.css';

export interface LeaveDialogProps {
  /** What would be lost: names of fields. Without it all of it. */
  lost?: readonly string[] | undefined;
  onStay: () => void;
  onLeave: () => void;
}

/** More than these are counted. */
const NAMED = 8;

const nothing: readonly string[] = [];

/** Asks whether what was typed may be lost, and says what. */
export function LeaveDialog({ lost = nothing, onStay, onLeave }: LeaveDialogProps) {
  return (
    <Dialog onClose={onStay} title="Leave without saving?">
      <p className={classes.text}>
        What you changed here isn't saved and will be lost{lost.length > 0 ? ':' : '.'}
      </p>
      {lost.length > 0 && (
        <ul className={classes.lost}>
          {lost.slice(0, NAMED).map((name) => (
            <li key={name}>{name}</li>
          ))}
          {lost.length > NAMED && <li>and {lost.length - NAMED} more</li>}
        </ul>
      )}
      <Ways>
        <Button variant="default" onClick={onLeave}>
          Leave
        </Button>
        <Button onClick={onStay} data-autofocus>
          Stay
        </Button>
      </Ways>
    </Dialog>
  );
}
