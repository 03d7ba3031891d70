import { useQuery } from '@tanstack/react-query';
import type { Timezone } from '@headrace/contract/farms';
import { RetryButton } from '../../ui/state-view.tsx';
import { TankFindings } from './finding.tsx';
import { insightsQuery } from './insights.queries.ts';
import classes from './insights.module.css';

/** What a tank's readings point to, in its dialog: also why there is no forecast. */
export function TankOutlook(props: { farmUID: string; tankId: string; zone: Timezone; hasLeak: boolean }) {
  const { farmUID, tankId, zone, hasLeak } = props;
  const { data, isError, isFetching, refetch } = useQuery(insightsQuery(farmUID));
  if (!data) {
    return isError ? (
      <p className={classes.none}>
        What the readings point to couldn't be loaded.{' '}
        <RetryButton onClick={() => void refetch()} isBusy={isFetching} />
      </p>
    ) : null;
  }
  const insight = data.tanks.find(({ _id }) => _id === tankId);
  if (!insight) return null;
  return (
    <>
      <TankFindings insight={insight} zone={zone} hasLeak={hasLeak} />
      {!insight.untilEmpty && insight.noForecast && (
        <p className={classes.none}>No date when it is empty: {insight.noForecast}</p>
      )}
    </>
  );
}
