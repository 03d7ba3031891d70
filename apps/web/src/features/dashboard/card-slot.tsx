import {
  type ReactNode,
  type RefObject,
  Suspense,
  useDeferredValue,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { CardType } from '@headrace/contract/default-settings';
import type { FarmCard } from '@headrace/contract/farms';
import { Failed } from '../../ui/state-view.tsx';
import { useIsSeen } from '../../ui/use-is-seen.ts';
import classes from './card-slot.module.css';

/**
 * How cards stand on the dashboard. A card is a component of its own chunk that takes `{ farm }` and draws a `CardFrame`.
 * Whether it has anything to show is told before it is loaded, by one query in its `*.queries.ts` that card-presence.ts
 * asks: without data it isn't on the page, after a failure the slot says so with Retry. The card asks the same query.
 */
export interface CardProps {
  farm: FarmCard;
}

/** What is known of a card's data. */
export interface Presence {
  state: 'loading' | 'has' | 'none' | 'failed';
  error?: unknown;
  retry?: () => void;
  isRetrying?: boolean;
}

type Asked = Pick<UseQueryResult<boolean>, 'data' | 'error' | 'isError' | 'isFetching'> & {
  refetch: () => unknown;
};
const LOADING: Presence = { state: 'loading' };
export const HAS: Presence = { state: 'has' };
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

/** Where a link to a card leads on the dashboard: `<Link to="." hash={cardAnchor('Flow')}>`. */
export const cardAnchor = (type: CardType): string => `card-${type.toLowerCase()}`;

export interface CardFrameProps {
  type: CardType;
  title: string;
  /** At the right of the title: a chooser, a menu. */
  actions?: ReactNode;
  children: ReactNode;
  /** Without the card's border: what is within has its own. */
  isBare?: boolean | undefined;
  ref?: RefObject<HTMLElement | null>;
}

/** A card's box with its heading. */
export function CardFrame({ type, title, actions, children, isBare, ref }: CardFrameProps) {
  const id = cardAnchor(type);
  return (
    <section
      className={isBare ? classes.bare : classes.card}
      aria-labelledby={`${id}-title`}
      id={id}
      ref={ref}
    >
      <header className={classes.head}>
        <h2 id={`${id}-title`} className={classes.title}>
          {title}
        </h2>
        {actions && <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
    </section>
  );
}

/** Loading signs give way to the cards' own one after the other within this time, ms. */
const RELEASE_MS = { first: 800, last: 1600 } as const;

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
 * A card's place: a loading sign, what failed, or the card. In sight it is drawn as soon as there is data; else, and
 * without data, the sign stays up to its time, then the card comes and waits in its own shape.
 */
export function CardSlot({ type, title, presence, failed, releasedAfter, children }: CardSlotProps) {
  const { state, error, retry, isRetrying } = presence;
  const place = useRef<HTMLElement>(null);
  const isSeen = useIsSeen(place, NEAR_PX);
  const isOver = useIsOver(releasedAfter);
  // Drawn in slices, so that the cards together don't hold up a slow phone.
  const isReleased = useDeferredValue(isOver || (isSeen && state !== 'loading'), false);
  if (state === 'failed') {
    return (
      <CardFrame type={type} title={title}>
        <Failed text={failed} error={error} onRetry={() => retry?.()} isRetrying={isRetrying} />
      </CardFrame>
    );
  }
  const sign = <LoadingCard type={type} title={title} place={place} />;
  return isReleased ? <Suspense fallback={sign}>{children}</Suspense> : sign;
}

function useIsOver(afterMs: number): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(setIsOver, afterMs, true);
    return () => clearTimeout(timer);
  }, [afterMs]);
  return isOver;
}

interface LoadingCardProps {
  type: CardType;
  title: string;
  place: RefObject<HTMLElement | null>;
}

function LoadingCard({ type, title, place }: LoadingCardProps) {
  return (
    <CardFrame type={type} title={title} ref={place}>
      <div className={classes.loading} data-type={type} aria-busy="true">
        <output className={classes.spoken}>Loading</output>
        <span className={classes.spinner} aria-hidden="true" />
      </div>
    </CardFrame>
  );
}
