import { PlainButton } from './plain-button.tsx';
import classes from './show-more.module.css';

export interface ShowMoreProps {
  query: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    fetchNextPage: () => unknown;
  };
  label: string;
  /** What failed, as a sentence. */
  failed: string;
}

/** What the server has more of, a page at a time. */
export function ShowMore({ query, label, failed }: ShowMoreProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  if (!hasNextPage) return null;
  return (
    <div className={classes.more}>
      {isFetchNextPageError && <span role="alert">{failed}</span>}
      <PlainButton onClick={() => void fetchNextPage()} disabled={isFetchingNextPage}>
        {isFetchingNextPage ? 'Loading…' : isFetchNextPageError ? 'Retry' : label}
      </PlainButton>
    </div>
  );
}
