import { Button } from '@mantine/core';
import { Dialog, Ways } from './dialog.tsx';
import classes from './forms.module.css';

/** Asks whether what was typed may be lost. */
export function LeaveDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  return (
    <Dialog onClose={onStay} title="Leave without saving?">
      <p className={classes.text}>What you changed here isn't saved and will be lost.</p>
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
