import { USAGE_NOTICE_PERCENT } from '@headrace/contract/limits';
import { ConditionDot } from './condition-dot.tsx';
import classes from './share-used.module.css';

/** Near a limit in words beside the colour; nothing before. */
export function ShareUsed({ used, limit }: { used: number; limit: number }) {
  const percent = Math.floor((100 * used) / limit);
  if (percent < USAGE_NOTICE_PERCENT) return null;
  return (
    <span className={classes.share}>
      <ConditionDot condition={percent >= 100 ? 'issue' : 'caution'} label={null} size={15} />
      {percent >= 100 ? 'full' : `${percent} % used`}
    </span>
  );
}
