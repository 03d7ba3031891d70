import { Button } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { snoozeTimes } from '@headrace/contract/rules/alerts/snooze-times';
import type { AskedAlert, MessageAnswer } from '@headrace/contract/alert-answers';
import { call, errorText } from '../../api/client.ts';
import { useAboutFarm } from '../../farm/current-farm.ts';
import { Age } from '../../ui/age.tsx';
import { Logo } from '../../ui/logo.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { useSession } from '../../session/use-session.ts';
import { ClockNote } from './farm-clock-note.tsx';
import { SnoozedUntil } from './incidents.tsx';
import { snoozeLabels } from './alert-labels.ts';
import classes from './alerts.module.css';

const askedQuery = (key: string) =>
  queryOptions({
    queryKey: ['asked-alert', key],
    queryFn: async ({ signal }) => (await call('GET /alerts/answer', { query: { key }, signal })).alert,
    refetchOnMount: 'always',
    refetchInterval: 60_000,
  });

/** `/a/{key}`, as messages have it: what is so, and the buttons that answer. Opening it answers nothing. */
export function AnswerPage() {
  const { key } = useParams({ from: '/a/$key' });
  const { logged } = useSession();
  return (
    <div className={classes.asked}>
      {!logged && (
        <Link to="/" className={classes.brand} aria-label="Headrace, home">
          <Logo size={30} /> Headrace
        </Link>
      )}
      <StateView
        query={useQuery(askedQuery(key))}
        failed="The alert couldn't be loaded"
        skeleton={<Skeleton blocks={2} blockPx={120} />}
        isEmpty={(alert) => alert === null}
        empty={
          <>
            <h1 className={classes.askedTitle}>This link has ended.</h1>
            <p className={classes.cause}>
              It holds for a day, for who got the message. <Link to="/alerts">See what is so now</Link>
            </p>
          </>
        }
      >
        {(alert) => alert && <Asked key={alert.uid} alert={alert} linkKey={key} />}
      </StateView>
    </div>
  );
}

function Asked({ alert, linkKey }: { alert: AskedAlert; linkKey: string }) {
  const { title, message, state, uid, farmUID, timezone } = alert;
  useAboutFarm(farmUID);
  const { mutate, data, error, isPending } = useAnswerByKey(linkKey, alert.class);
  return (
    <>
      <h1 className={classes.askedTitle}>{title}</h1>
      <p className={classes.cause}>{message}</p>
      <ClockNote zone={timezone} />
      <p className={classes.answered} role="status">
        {data?.text ?? <Standing alert={alert} />}
      </p>
      {error && (
        <p role="alert" className={classes.answered}>
          {errorText(error)}
        </p>
      )}
      {state === 'open' && (
        <Answers isPending={isPending} onAnswer={(answer) => mutate(answer)} as={alert.as} />
      )}
      <Link to="/alerts" search={{ farm: farmUID, incident: uid }} className={classes.to}>
        Open in Headrace
      </Link>
    </>
  );
}

/** Who is on it, or until when nobody is told. */
function Standing({ alert: { answeredBy, answeredAt, snoozedUntil, state } }: { alert: AskedAlert }) {
  if (state === 'answered')
    return (
      <>
        {answeredBy} is on it, <Age at={answeredAt} />
      </>
    );
  return state === 'open' && snoozedUntil !== null ? <SnoozedUntil at={snoozedUntil} /> : null;
}

interface AnswersProps {
  isPending: boolean;
  onAnswer: (answer: MessageAnswer) => void;
  as: string;
}

function Answers({ isPending, onAnswer, as }: AnswersProps) {
  return (
    <div className={classes.askedAnswers}>
      <Button size="lg" mih={56} fullWidth loading={isPending} onClick={() => onAnswer('answer')}>
        I&apos;m on it
      </Button>
      {snoozeTimes.map((until) => (
        <Button
          key={until}
          variant="default"
          mih={44}
          fullWidth
          disabled={isPending}
          onClick={() => onAnswer(until)}
        >
          Snooze {snoozeLabels[until]}
        </Button>
      ))}
      <p className={classes.facts}>You answer as {as}.</p>
    </div>
  );
}

/** Refused where it got worse than is shown here: then the page shows how it is. */
function useAnswerByKey(key: string, seen: AskedAlert['class']) {
  const queryClient = useQueryClient();
  const { queryKey } = askedQuery(key);
  return useMutation({
    mutationFn: (answer: MessageAnswer) =>
      call('POST /alerts/answer', { body: { key, answer, from: 'link', class: seen } }),
    onSuccess: ({ alert }) => queryClient.setQueryData(queryKey, alert),
    onError: () => queryClient.invalidateQueries({ queryKey }),
  });
}
