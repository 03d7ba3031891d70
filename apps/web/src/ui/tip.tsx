import { useContext, type ReactElement } from 'react';
import { Tooltip } from '@mantine/core';
import { TipsShown } from './tips-shown.ts';
import { useLongPress } from './use-long-press.ts';

/**
 * A help tooltip: on pointing, with the focus, or on a long press. Never the only place of a fact: people can switch
 * tooltips off.
 */
export function Tip({ label, children }: { label: string; children: ReactElement }) {
  const isShown = useContext(TipsShown);
  const { isOpen, touch } = useLongPress();
  return (
    // Takes no part in the layout; what is touched within it is heard here.
    <span style={{ display: 'contents' }} {...touch}>
      <Tooltip
        label={label}
        disabled={!isShown}
        events={{ hover: true, focus: true, touch: false }}
        {...(isOpen && { opened: true })}
      >
        {children}
      </Tooltip>
    </span>
  );
}
