import { IconCopy } from '@tabler/icons-react';
import { Button } from '@mantine/core';
import { copySiteUid } from './copy-site-uid.ts';

/** What others need to name this farm to the API. */
export function CopyUid({ uid }: { uid: string }) {
  return (
    <Button
      variant="default"
      mih={44}
      leftSection={<IconCopy size={18} stroke={1.7} aria-hidden="true" />}
      onClick={() => void copySiteUid(uid)}
    >
      Copy UID
    </Button>
  );
}
