import { Button } from '@mantine/core';
import { Dialog, Ways } from '../../forms/dialog.tsx';
import { Scanner } from './scanner.tsx';

export interface ScanDialogProps {
  onFound: (text: string) => void;
  onClose: () => void;
}

/** Reads a serial number from a device's label. */
export function ScanDialog({ onFound, onClose }: ScanDialogProps) {
  return (
    <Dialog onClose={onClose} title="Scan the label">
      <Scanner onFound={onFound} />
      <Ways>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </Ways>
    </Dialog>
  );
}
