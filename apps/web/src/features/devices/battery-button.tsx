import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconBattery4 } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { toast } from '../../ui/toasts.ts';
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx';
import { renewDevices } from '../changes/renew.ts';

/** Records that a battery was replaced now. spec 2 §8 */
export function BatteryButton({ name, record }: { name: string; record: () => Promise<unknown> }) {
  const queryClient = useQueryClient();
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
      {isOpen && (
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
          onClose={() => setIsOpen(false)}
        >
          Its battery counts as new from now on, and its chart marks the day.
        </ConfirmDialog>
      )}
    </>
  );
}
