import { useContext, type ReactElement } from 'react';
import { TipAnchor } from './tip-anchor.tsx';
import { TipsShown } from './tips-shown.ts';

/**
 * A help tooltip: on pointing, with the focus, or on a long press. Never the only place of a fact: people can switch
 * tooltips off.
 */
export function Tip({ label, children }: { label: string; children: ReactElement }) {
  if (!useContext(TipsShown)) return children;
  return (
    <TipAnchor text={() => label} byFocus>
      {children}
    </TipAnchor>
  );
}
