import { Button } from '@mantine/core';
import type { ComponentProps } from 'react';
import { DangerButton } from './danger-button.tsx';
import { Ways } from './dialog.tsx';

/** The end of a dialog that takes much away: Cancel, which has the focus, and the button that does it. */
export function DangerWays({
  onCancel,
  ...danger
}: ComponentProps<typeof DangerButton> & { onCancel: () => void }) {
  return (
    <Ways>
      <Button variant="default" onClick={onCancel} data-autofocus>
        Cancel
      </Button>
      <DangerButton {...danger} />
    </Ways>
  );
}
