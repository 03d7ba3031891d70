import { Button } from '@mantine/core';
import { Dialog } from '../../forms/dialog.tsx';
import { Scanner } from './scanner.tsx';
import classes from './registry.module.css';

export interface ScanDialogProps {
  onFound: (text: string) => void;
  onClose: () => void;
}

/** Reads a serial number from a device's label. */
export function ScanDialog({ onFound, onClose }: ScanDialogProps) {
  return (
    <Dialog onClose={onClose} title="Scan the label">
      <Scanner onFound={onFound} />
      <div className={classes.ways}>
        <Button variant="default" mih={44} onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Dialog>
  );
}
