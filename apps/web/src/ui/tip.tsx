import { useContext, type ReactElement } from 'react';
import { Tooltip } from '@mantine/core';
import { TipsShown } from './tips-shown.ts';

/** A help tooltip. Never the only place of a fact: people can switch tooltips off. */
export function Tip({ label, children }: { label: string; children: ReactElement }) {
  const isShown = useContext(TipsShown);
  return (
    <Tooltip label={label} disabled={!isShown} events={{ hover: true, focus: true, touch: false }}>
      {children}
    </Tooltip>
  );
}
