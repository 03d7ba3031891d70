import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { ApiError, errorText } from '../api/client.ts';
import { ConditionDot } from './condition-dot.tsx';
import { PlainButton } from './plain-button.tsx';
import classes from './state-view.module.css';

export interface StateViewProps<T> {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'isError' | 'isFetching'> & { refetch: () => unknown };
  /** Of the same shape as the content, so that nothing jumps. */
  skeleton: ReactNode;
  /** What failed, as a sentence without its full stop: "The farms couldn't be loaded". */
  failed: string;
  isEmpty?: ((data: T) => boolean) | undefined;
  empty?: ReactNode;
  children: (data: T) => ReactNode;
}

/** One of four: loading, failed with Retry, empty with the next step, or the content. */
export function StateView<T>({ query, skeleton, failed, isEmpty, empty, children }: StateViewProps<T>) {
  const { data, error, isError, isFetching, refetch } = query;
  const retry = () => void refetch();
  if (data === undefined) {
    if (isError) return <Failed text={failed} error={error} onRetry={retry} isRetrying={isFetching} />;
    return (
      <div aria-busy="true">
        <output className={classes.spoken}>Loading</output>
        {skeleton}
      </div>
    );
  }
  return (
    <>
      {isError && <NotRenewed error={error} onRetry={retry} isRetrying={isFetching} />}
      {isEmpty?.(data) ? empty : children(data)}
    </>
  );
}

export interface FailedProps {
  text: string;
  error: unknown;
  onRetry: () => void;
  isRetrying?: boolean | undefined;
}

/** What failed, why, and Retry. */
export function Failed({ text, error, onRetry, isRetrying = false }: FailedProps) {
  return (
    <div className={classes.box} role="alert">
      <ConditionDot condition="issue" size={28} label={null} />
      <p className={classes.title}>{text}</p>
      <p className={classes.detail}>{errorText(error)}</p>
      <RetryButton onClick={onRetry} isBusy={isRetrying} />
    </div>
  );
}

/** The same of a part for which one line has to do. */
export function FailedLine({ text, onRetry }: Pick<FailedProps, 'text' | 'onRetry'>) {
  return (
    <div className={classes.strip} role="alert">
      <span className={classes.said}>
        <ConditionDot condition="issue" label={null} />
        <span>{text}.</span>
      </span>
      <RetryButton onClick={onRetry} isBusy={false} />
    </div>
  );
}

/** What is shown is from before: its ages say how old, this says why. */
function NotRenewed({ error, onRetry, isRetrying = false }: Omit<FailedProps, 'text'>) {
  return (
    <div className={classes.strip} role="status">
      <span className={classes.said}>
        <ConditionDot condition="caution" label={null} />
        <span>
          These are the last values received;{' '}
          {error instanceof ApiError && error.status === 404
            ? 'it is not there any more.'
            : "newer ones couldn't be loaded."}
        </span>
      </span>
      <RetryButton onClick={onRetry} isBusy={isRetrying} />
    </div>
  );
}

/** Nothing here yet: a sentence, and the next step. */
export function Empty({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={classes.box}>
      <p className={classes.title}>{title}</p>
      {children && <p className={classes.detail}>{children}</p>}
      {action}
    </div>
  );
}

/** Asks again for what failed. */
export function RetryButton({ onClick, isBusy }: { onClick: () => void; isBusy: boolean }) {
  return (
    <PlainButton onClick={onClick} disabled={isBusy}>
      {isBusy ? 'Retrying…' : 'Retry'}
    </PlainButton>
  );
}
