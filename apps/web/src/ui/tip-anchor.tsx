import {
  type ComponentProps,
  Suspense,
  useRef,
  useState,
  type FocusEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
} from 'react';
import { lazyAgain } from './lazy-again.ts';
import type { OpenTooltip as Loaded } from './open-tooltip.tsx';
import { useLongPress } from './use-long-press.ts';
import classes from './tip-anchor.module.css';

/** A page does without its tooltips where they can't be loaded, and asks for them again the next time. */
const latest = lazyAgain<ComponentProps<typeof Loaded>>(
  () => import('./open-tooltip.tsx').then((m) => m.OpenTooltip),
  () => null,
);

export interface TipAnchorProps {
  /** Null: there is nothing to tell. */
  text: () => string | null;
  /** Called when somebody asks, before `text`: a chance to load what it needs. */
  onAsked?: (() => void) | undefined;
  /** Also where the keyboard's focus is. */
  byFocus?: boolean;
  /** Called on a click, but not on the one that ends a long press. */
  onTap?: ((event: MouseEvent) => void) | undefined;
  /** One element, beside which the tooltip opens. */
  children: ReactNode;
}

/**
 * A tooltip on pointing, on a long press, and where wanted with the focus. It is made when first asked for: a page of a
 * thousand ages and buttons carries none.
 */
export function TipAnchor({ text, onAsked, byFocus = false, onTap, children }: TipAnchorProps) {
  const target = useRef<HTMLElement>(null);
  const [isAsked, setIsAsked] = useState(false);
  const { isOpen, close, touch } = useLongPress(onAsked);
  const aim = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    target.current = currentTarget.firstElementChild as HTMLElement | null;
  };
  const show = (event: PointerEvent<HTMLElement> | FocusEvent<HTMLElement>) => {
    aim(event);
    onAsked?.();
    setIsAsked(true);
  };
  const hide = () => {
    setIsAsked(false);
    close();
  };
  const label = isAsked || isOpen ? text() : null;
  const OpenTooltip = latest.current;
  return (
    <>
      <span
        className={classes.anchor}
        role="presentation"
        onPointerEnter={(event) => event.pointerType === 'mouse' && show(event)}
        onPointerLeave={(event) => event.pointerType === 'mouse' && hide()}
        onKeyDown={(event) => event.key === 'Escape' && hide()}
        onClick={isOpen ? undefined : onTap}
        {...(byFocus && { onFocus: show, onBlur: hide })}
        {...touch}
        onTouchStart={(event) => {
          aim(event);
          touch.onTouchStart();
        }}
      >
        {children}
      </span>
      {label !== null && (
        <Suspense>
          <OpenTooltip target={target} label={label} />
        </Suspense>
      )}
    </>
  );
}
