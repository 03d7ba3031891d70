import { useId, type ReactNode } from 'react';
import { Button } from '@mantine/core';
import { TipAnchor } from '../../ui/tip-anchor.tsx';

interface CommandButtonProps {
  /** Why it can't be done now; null: it can. */
  why: string | null;
  isBusy?: boolean;
  isMain?: boolean;
  icon?: ReactNode;
  onPress: () => void;
  /** Pressed while it can't be done. */
  onRefused: (why: string) => void;
  children: string;
}

/** Sends something. Where it can't, it can still be reached, and says why when it is pointed at or pressed. */
export function CommandButton(props: CommandButtonProps) {
  const { why, isBusy = false, isMain = false, icon, onPress, onRefused, children } = props;
  const id = useId();
  const press = () => {
    if (why !== null) onRefused(why);
    else if (!isBusy) onPress();
  };
  // The same element whether it can be done or not: who stands on it stays there when that changes.
  return (
    <>
      <TipAnchor text={() => why} byFocus>
        <Button
          variant={isMain ? 'filled' : 'default'}
          mih={44}
          leftSection={icon}
          aria-disabled={why !== null || isBusy || undefined}
          aria-busy={isBusy || undefined}
          aria-describedby={why === null ? undefined : id}
          onClick={press}
        >
          {isBusy ? 'Sending…' : children}
        </Button>
      </TipAnchor>
      {why !== null && (
        <span id={id} hidden>
          {why}
        </span>
      )}
    </>
  );
}
