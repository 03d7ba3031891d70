import { useInfiniteQuery } from '@tanstack/react-query';
import { Button } from '@mantine/core';
import type { Api } from '@headrace/contract/api';
import { exactTime } from '../../ui/format.ts';
import { Empty, RetryButton, StateView } from '../../ui/state-view.tsx';
import { WHOLE_ACCOUNT } from './invite-labels.ts';
import { accessLogQuery } from './sharing.queries.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import classes from './sharing.module.css';

type Event = Api['GET /access-log']['reply']['events'][number];

/** Who was given what, by whom and when; and what support did. The newest first. */
export function AccessLog() {
  const query = useInfiniteQuery(accessLogQuery);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const first = { ...query, isError: query.isError && !isFetchNextPageError };
  return (
    <StateView
      query={first}
      failed="The access log couldn't be loaded"
      skeleton={<Skeleton blocks={3} blockPx={76} />}
      isEmpty={({ pages }) => pages.every(({ events }) => events.length === 0)}
      empty={
        <Empty title="Nothing has happened yet.">
          Who is invited, accepts, is changed or loses access is written here, and every visit of support.
        </Empty>
      }
    >
      {({ pages }) => (
        <>
          <ol className={classes.log} aria-label="Access log">
            {pages
              .flatMap(({ events }) => events)
              .map((event) => (
                <Entry key={event.id} event={event} />
              ))}
          </ol>
          {hasNextPage && (
            <div className={classes.older}>
              {isFetchNextPageError && (
                <>
                  <span role="alert">Older entries couldn't be loaded.</span>
                  <RetryButton onClick={() => void fetchNextPage()} isBusy={isFetchingNextPage} />
                </>
              )}
              {!isFetchNextPageError && (
                <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                  Show older entries
                </Button>
              )}
            </div>
          )}
        </>
      )}
    </StateView>
  );
}

function Entry({ event }: { event: Event }) {
  const at = Date.parse(event.at);
  return (
    <li className={classes.entry}>
      <time className={classes.when} dateTime={event.at}>
        {exactTime(at)}
      </time>
      <div>
        <p className={classes.what}>
          {sentenceOf(event)} <span className={classes.where}>{event.farmName || WHOLE_ACCOUNT}</span>
        </p>
        {event.note && <p className={classes.note}>{withReadTimes(event.note)}</p>}
      </div>
    </li>
  );
}

const ISO_TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;
/** The log's notes keep moments as the server writes them; here they read like all others. */
const withReadTimes = (note: string) => note.replace(ISO_TIME, (at) => exactTime(Date.parse(at)));

/** One event as a sentence. */
function sentenceOf({ what, by, whom }: Event): string {
  switch (what) {
    case 'invited':
      return `${by} invited ${whom}.`;
    case 'invited again':
      return `${by} invited ${whom} again.`;
    case 'accepted':
      return `${whom} accepted.`;
    case 'rejected':
      return `${whom} rejected.`;
    case 'changed':
      return `${by} changed the rights of ${whom}.`;
    case 'revoked':
      return `${by} took the access of ${whom} back.`;
    case 'given back':
      return `${by} gave the access of ${whom} back.`;
    case 'given up':
      return `${whom} gave the access up.`;
    case 'ended by itself':
      return `The access of ${whom} ended, as agreed.`;
    case 'support looked':
      return `Support (${by}) looked at the farm.`;
    case 'support opened':
      return `Support (${by}) opened a session with all rights.`;
    case 'support closed':
      return `Support (${by}) closed the session.`;
    default:
      return what satisfies never;
  }
}
