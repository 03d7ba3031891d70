import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconBattery4 } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { toast } from '../../ui/toasts.ts';
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx';
import { renewDevices } from '../changes/renew.ts';

interface Battery {
  name: string;
  record: () => Promise<unknown>;
}

/** Records that a battery was replaced now. spec 2 §8 */
export function BatteryButton(battery: Battery) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        mih={44}
        leftSection={<IconBattery4 size={18} stroke={1.7} aria-hidden="true" />}
        onClick={() => setIsOpen(true)}
      >
        Record Battery Replacement
      </Button>
      {isOpen && <BatteryDialog {...battery} onClose={() => setIsOpen(false)} />}
    </>
  );
}

/** Asks before it is recorded. */
export function BatteryDialog({ name, record, onClose }: Battery & { onClose: () => void }) {
  const queryClient = useQueryClient();
  return (
    <ConfirmDialog
      title={`Battery of ${name} replaced?`}
      confirm="Record replacement"
      doing="Recording…"
      run={record}
      failed="Sorry, coudn't record the battery replacement. Please, try again."
      onDone={() => {
        toast.success('Battery replacement recorded successfully!');
        void renewDevices(queryClient);
      }}
      onClose={onClose}
    >
      Its battery counts as new from now on, and its chart marks the day.
    </ConfirmDialog>
  );
}
