import { Button } from '@mantine/core';
import { Dialog } from './dialog.tsx';
import classes from './forms.module.css';

/** Asks whether what was typed may be lost. */
export function LeaveDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  return (
    <Dialog onClose={onStay} title="Leave without saving?">
      <p className={classes.text}>What you changed here isn't saved and will be lost.</p>
      <div className={classes.ways}>
        <Button variant="default" onClick={onLeave}>
          Leave
        </Button>
        <Button onClick={onStay} data-autofocus>
          Stay
        </Button>
      </div>
    </Dialog>
  );
}
