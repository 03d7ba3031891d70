import { type ComponentType, Fragment } from 'react';
import { Link } from '@tanstack/react-router';
import type { CardType } from '@headrace/contract/default-settings';
import type { FarmCard } from '@headrace/contract/farms';
import { needs } from '@headrace/contract/permissions';
import { cardsFor, dashboardCardsOf } from '@headrace/contract/rules/settings-farms';
import { useCan } from '../access/permissions.ts';
import type { SettingsSearch } from '../settings/settings-search.ts';
import { useSettings } from '../settings/settings.queries.ts';
import { TankLevels } from '../tanks/tank-levels.tsx';
import { AttentionLine } from './attention-line.tsx';
import classes from './dashboard.module.css';

interface CardProps {
  farm: FarmCard;
}

/** What stands on a dashboard for each kind of card. */
const cards: Partial<Record<CardType, ComponentType<CardProps>>> = { Tank: TankCard };

/** The farm's cards: those that the person wants to see, in the order chosen. */
export function DashboardCards({ farm }: CardProps) {
  const shown = cardsFor(dashboardCardsOf(useSettings(), farm._id), farm.tankOnly).flatMap(
    ({ type, visible }) => {
      const Card = cards[type];
      return visible && Card ? [{ type, Card }] : [];
    },
  );
  if (shown.length === 0) return <NoCards />;
  return shown.map(({ type, Card }) => (
    <Fragment key={type}>
      <Card farm={farm} />
    </Fragment>
  ));
}

function NoCards() {
  const search = ((before: object): SettingsSearch => ({ ...before, settings: 'dashboard' })) as never;
  return (
    <p className={classes.none}>
      All cards of this dashboard are hidden.{' '}
      <Link to="." search={search}>
        Choose cards
      </Link>
    </p>
  );
}

function TankCard({ farm: { _id: farmUID } }: CardProps) {
  const canTanks = useCan(needs.tankSummary, farmUID);
  if (!canTanks) return null;
  return (
    <section aria-labelledby="tank-levels">
      <AttentionLine farmUID={farmUID} />
      <h2 id="tank-levels" className={classes.heading}>
        Tank Levels
      </h2>
      <TankLevels farmUID={farmUID} />
    </section>
  );
}
