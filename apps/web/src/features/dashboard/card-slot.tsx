import { type ReactNode, type RefObject, useCallback, useDeferredValue, useRef } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { CatchBoundary, type ErrorComponentProps } from '@tanstack/react-router';
import type { CardType } from '@headrace/contract/default-settings';
import { CardFrame } from '../../ui/card-frame.tsx';
import { Failed } from '../../ui/state-view.tsx';
import { useIsOver } from '../../ui/use-is-over.ts';
import { useIsSeen } from '../../ui/use-is-seen.ts';
import classes from './card-slot.module.css';

/** What is known of a card's data. */
export interface Presence {
  /** `beside`: it only says that there is nothing, and isn't shown alone. */
  state: 'loading' | 'has' | 'beside' | 'none' | 'failed';
  error?: unknown;
  retry?: () => void;
  isRetrying?: boolean;
}

type Asked = Pick<UseQueryResult<boolean>, 'data' | 'error' | 'isError' | 'isFetching'> & {
  refetch: () => unknown;
};
const LOADING: Presence = { state: 'loading' };
export const HAS: Presence = { state: 'has' };
export const BESIDE: Presence = { state: 'beside' };
export const NONE: Presence = { state: 'none' };

/**
 * Of a query whose data is whether there is nothing to show; what came before a failure still stands. The same object while it
 * is the same, and a query's other members are only read after a failure: so nobody is drawn anew by a report that comes in.
 */
export function presenceOf(query: Asked): Presence {
  if (query.data !== undefined) return query.data ? NONE : HAS;
  if (!query.isError) return LOADING;
  return {
    state: 'failed',
    error: query.error,
    retry: () => void query.refetch(),
    isRetrying: query.isFetching,
  };
}

/** What there is to show is shown later: what it needs isn't there yet. */
export const waiting = (presence: Presence): Presence => (presence.state === 'has' ? LOADING : presence);

/** Loading signs give way to the cards' own one after the other within this time, ms. */
const RELEASE_MS = { first: 800, last: 1600 } as const;
/** Cards that nobody has scrolled to come this much later, ms: a slow phone takes five seconds for what is in sight, and goes first. */
export const UNSEEN_MS = 6000;

/** When the loading sign of card `index` of `count` ends at the latest, ms from its appearance. */
export function releaseAfter(index: number, count: number): number {
  const { first, last } = RELEASE_MS;
  return count < 2 ? first : first + ((last - first) * index) / (count - 1);
}

export interface CardSlotProps {
  type: CardType;
  title: string;
  presence: Presence;
  /** What failed, as a sentence without its full stop. */
  failed: string;
  /** ms; see `releaseAfter` */
  releasedAfter: number;
  children: ReactNode;
}

/** What is nearer to the window than this is drawn as soon as its data is there, px. */
const NEAR_PX = 200;

/**
 * A card's place: a loading sign, what failed, or the card. In sight it is drawn as soon as there is data; without data the sign
 * stays up to its time, then the card comes and waits in its own shape. Out of sight it comes later. One that breaks says so in its
 * place, beside the others.
 */
export function CardSlot({ type, title, presence, failed, releasedAfter, children }: CardSlotProps) {
  const { state, error, retry, isRetrying } = presence;
  const place = useRef<HTMLElement>(null);
  const isSeen = useIsSeen(place, NEAR_PX);
  const isOver = useIsOver(releasedAfter);
  const isLate = useIsOver(releasedAfter + UNSEEN_MS);
  // Drawn in slices, so that the cards together don't hold up a slow phone.
  const isReleased = useDeferredValue(isLate || (isSeen && (isOver || state !== 'loading')), false);
  const Broken = useCallback(
    ({ error: thrown, reset }: ErrorComponentProps) => (
      <CardFrame type={type} title={title}>
        <Failed text={failed} error={thrown} onRetry={reset} />
      </CardFrame>
    ),
    [type, title, failed],
  );
  if (state === 'failed') {
    return (
      <CardFrame type={type} title={title}>
        <Failed text={failed} error={error} onRetry={() => retry?.()} isRetrying={isRetrying} />
      </CardFrame>
    );
  }
  if (!isReleased) return <LoadingCard type={type} title={title} place={place} />;
  return (
    <CatchBoundary getResetKey={() => type} errorComponent={Broken}>
      {children}
    </CatchBoundary>
  );
}

interface LoadingCardProps {
  type: CardType;
  title: string;
  place?: RefObject<HTMLElement | null>;
}

/** A card while what it shows, or its code, isn't there. */
export function LoadingCard({ type, title, place }: LoadingCardProps) {
  return (
    <CardFrame type={type} title={title} ref={place}>
      <div className={classes.loading} data-type={type} aria-busy="true">
        <output className={classes.spoken}>Loading</output>
        <span className={classes.spinner} aria-hidden="true" />
      </div>
    </CardFrame>
  );
}
