import { Button } from '@mantine/core';
import { numberText } from '../../ui/format.ts';
import classes from './command-drawer.module.css';

interface Props {
  shown: number;
  total: number;
  what: 'units' | 'steps';
  /** Null: no more can be asked for. */
  onMore: (() => void) | null;
}

/** Says that a list isn't whole, and asks for the rest of it. */
export function MoreOf({ shown, total, what, onMore }: Props) {
  if (shown >= total) return null;
  return (
    <div className={classes.more}>
      <p role="status">
        {numberText(shown)} of {numberText(total)} {what}
        {what === 'units' && ', those that failed first'}
      </p>
      {onMore && (
        <Button variant="default" onClick={onMore}>
          Show all {what}
        </Button>
      )}
    </div>
  );
}
