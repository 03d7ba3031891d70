import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { isMissingCode } from '../api/missing-code.ts';
import { Failed } from '../ui/state-view.tsx';
import classes from './shell.module.css';

/** A page that failed. Retry loads its data and its code again. */
export function ErrorScreen({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const { reset: resetQueries } = useQueryErrorResetBoundary();
  const retry = () => {
    if (isMissingCode(error)) return location.reload();
    resetQueries();
    reset();
    void router.invalidate();
  };
  return (
    <div className={classes.center}>
      <Failed text="This page couldn't be loaded" error={error} onRetry={retry} />
    </div>
  );
}
