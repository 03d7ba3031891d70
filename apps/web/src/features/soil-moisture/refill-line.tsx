import { useQuery } from '@tanstack/react-query';
import { RetryButton } from '../../ui/state-view.tsx';
import { insightsQuery } from '../insights/insights.queries.ts';
import { refillText } from './soil-labels.ts';
import classes from './soil-card.module.css';

export interface RefillLineProps {
  farmUID: string;
  siteId: string;
  /** What the person calls the band where they irrigate again. */
  bandName: string;
}

/** When the site needs water again at the present drying rate, and what that rests on. */
export function RefillLine({ farmUID, siteId, bandName }: RefillLineProps) {
  const { data, isError, isFetching, refetch } = useQuery(insightsQuery(farmUID));
  if (!data && isError)
    return (
      <p className={classes.refill}>
        The forecast of {bandName} couldn't be loaded.{' '}
        <RetryButton onClick={() => void refetch()} isBusy={isFetching} />
      </p>
    );
  if (!data) return <div className={classes.refillSpace} aria-busy="true" />;
  const insight = data.sites.find(({ _id }) => _id === siteId);
  if (!insight) return null;
  const text = refillText(insight, bandName);
  if (!insight.untilRefill) return text === '' ? null : <p className={classes.refill}>{text}</p>;
  return (
    <details className={classes.refill}>
      <summary>{text}</summary>
      <p>{insight.untilRefill.basis}</p>
    </details>
  );
}
