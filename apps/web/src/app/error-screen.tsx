import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { Failed } from '../ui/state-view.tsx';
import classes from './shell.module.css';

const isMissingChunk = (error: unknown) =>
  error instanceof Error &&
  /dynamically imported module|module script failed|unable to preload css/i.test(error.message);

/** A page that failed. Retry loads its data and its code again. */
export function ErrorScreen({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const { reset: resetQueries } = useQueryErrorResetBoundary();
  const retry = () => {
    // A piece of an older build is gone from the server: only a fresh page knows the new names.
    if (isMissingChunk(error)) return location.reload();
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
