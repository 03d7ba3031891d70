import { createElement, useState, type ComponentType, type ReactNode } from 'react';
import { toast } from './toasts.ts';

export interface OnDemandProps<P extends object> {
  /** Its code. What it brings is shown in the place of `children`, and opens at once. */
  load: () => Promise<ComponentType<P>>;
  /** What it takes, if anything. */
  given?: P;
  /** The closed button; `ask` is what a press does. */
  children: (ask: () => void) => ReactNode;
}

/** A button whose menu comes when it is first wanted: pointing at the button, or the focus on it, fetches its code. */
export function OnDemand<P extends object>({ load, given, children }: OnDemandProps<P>) {
  const [Menu, setMenu] = useState<ComponentType<P> | null>(null);
  const warm = () => void load().catch(() => undefined);
  const ask = () =>
    void load().then(
      (loaded) => setMenu(() => loaded),
      () => toast.error("The menu couldn't be loaded. Please check the connection and try again."),
    );
  if (Menu) return createElement(Menu, given);
  return (
    <span style={{ display: 'contents' }} onPointerEnter={warm} onFocus={warm}>
      {children(ask)}
    </span>
  );
}
