import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { IconArrowsMove } from '@tabler/icons-react';

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Goes on to moving it; nothing where it may not be moved. */
export function MoveButton({ name, onMove }: { name: string; onMove: (() => void) | undefined }) {
  if (!onMove) return null;
  return (
    <Button
      variant="default"
      mih={44}
      leftSection={<IconArrowsMove size={17} stroke={1.7} aria-hidden="true" />}
      aria-label={`Move ${name}`}
      onClick={onMove}
    >
      Move
    </Button>
  );
}
