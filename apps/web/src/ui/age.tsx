import type { MouseEvent, ReactNode } from 'react';
import { ageText } from '@headrace/contract/rules/contact';
import type { Timezone } from '@headrace/contract/farms';
import { useNow } from './clock.ts';
import { exactTime } from './format.ts';
import { TipAnchor } from './tip-anchor.tsx';
import classes from './age.module.css';

export interface AgeProps {
  /** ISO time or epoch ms; null: never. */
  at: string | number | null;
  /** The farm's zone, for the exact time. Without it the viewer's. */
  zone?: Timezone | null | undefined;
  /** Older than this (ms) is shown as stale. */
  staleAfter?: number | undefined;
  never?: string | undefined;
  /** In front of the age: "Last contact". */
  children?: ReactNode;
  /** The exact time is asked for: a chance to load the zone. */
  onAsked?: (() => void) | undefined;
  className?: string | undefined;
}

const toMs = (at: string | number | null) => (typeof at === 'string' ? Date.parse(at) : at);

/** An age lies above the link of its whole card, or nobody could ask for its exact time: a tap goes to that link. */
function openBelow({ currentTarget, clientX, clientY, ctrlKey, metaKey, shiftKey }: MouseEvent): void {
  const below = document.elementsFromPoint(clientX, clientY).find((one) => !currentTarget.contains(one));
  if (!(below instanceof HTMLAnchorElement) || below.contains(currentTarget)) return;
  below.dispatchEvent(
    new window.MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }),
  );
}

/** How old a fact is, in words that renew themselves; the exact time on hover or a long press. */
export function Age({ at, zone, staleAfter, never = 'never', children, onAsked, className }: AgeProps) {
  const now = useNow();
  const ms = toMs(at);
  const label = children ? <span>{children} </span> : null;
  if (ms === null || Number.isNaN(ms)) {
    return (
      <span className={[classes.age, className].join(' ')} data-stale>
        {label}
        {never}
      </span>
    );
  }
  const isStale = staleAfter !== undefined && now - ms > staleAfter;
  return (
    <TipAnchor text={() => exactTime(ms, zone)} onAsked={onAsked} onTap={openBelow}>
      <time
        className={[classes.age, className].join(' ')}
        dateTime={new Date(ms).toISOString()}
        data-stale={isStale || undefined}
      >
        {label}
        {ageText(ms, now)}
      </time>
    </TipAnchor>
  );
}
