import type { ReactNode, RefObject } from 'react';
import type { CardType } from '@headrace/contract/default-settings';
import type { FarmCard } from '@headrace/contract/farms';
import classes from './card-frame.module.css';

/**
 * How cards stand on the dashboard. A card is a component of its own chunk that takes `{ farm }` and draws a `CardFrame`.
 * Whether it has anything to show is told before it is loaded, by one query in its `*.queries.ts` that card-presence.ts
 * asks: without data it isn't on the page, after a failure the slot says so with Retry. The card asks the same query.
 */
export interface CardProps {
  farm: FarmCard;
}

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
