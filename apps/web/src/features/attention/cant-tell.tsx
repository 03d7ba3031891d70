import { type Query, useIsFetching, useQueryClient } from '@tanstack/react-query';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { PlainButton } from '../../ui/plain-button.tsx';
import classes from './attention.module.css';

const hasFailed = ({ state }: Query): boolean => state.status === 'error';

/** No news is not good news. `what` couldn't be loaded, now or newly; `isMore`: something else is known to be wrong. */
export function CantTell({ what, isMore }: { what: readonly string[]; isMore: boolean }) {
  const queryClient = useQueryClient();
  const isRetrying = useIsFetching({ predicate: hasFailed }) > 0;
  const retry = () => void queryClient.refetchQueries({ type: 'active', predicate: hasFailed });
  const listed = what.length < 2 ? what.join('') : `${what.slice(0, -1).join(', ')} and ${what.at(-1)}`;
  return (
    <div className={classes.cantTell} role="alert">
      <ConditionDot condition="caution" label={null} size={18} />
      <span>
        Can't tell whether anything {isMore && 'else '}is wrong: {listed} couldn't be loaded.
      </span>
      <PlainButton onClick={retry} disabled={isRetrying}>
        {isRetrying ? 'Retrying…' : 'Retry all'}
      </PlainButton>
    </div>
  );
}
