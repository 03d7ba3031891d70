import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { MessageProgress, NotificationWay } from '@headrace/contract/notifications';
import { call, errorText } from '../../api/client.ts';
import { Age } from '../../ui/age.tsx';
import { progressText, testProgressQuery } from './test-ways.queries.ts';
import classes from './notifications.module.css';

const labels: Record<NotificationWay, string> = {
  sms: 'Send me a test SMS',
  push: 'Send me a test instant message',
  email: 'Send me a test e-mail',
};

/** Whether messages arrive, by each way that is switched on. */
export function TestWays({ ways }: { ways: readonly NotificationWay[] }) {
  if (ways.length === 0) return null;
  return (
    <section className={classes.section} aria-labelledby="test-ways">
      <h3 id="test-ways" className={classes.sectionTitle}>
        Test
      </h3>
      <p className={classes.hint}>See that messages reach you before one matters.</p>
      {ways.map((way) => (
        <TestWay key={way} way={way} />
      ))}
    </section>
  );
}

function TestWay({ way }: { way: NotificationWay }) {
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => call('POST /notification/test', { body: { way } }),
  });
  return (
    <div className={classes.test}>
      <Button variant="default" mih={44} loading={isPending} onClick={() => mutate()}>
        {labels[way]}
      </Button>
      {error && (
        <p className={classes.problem} role="alert">
          {errorText(error)}
        </p>
      )}
      {data && <Progress key={data.id} id={data.id} />}
    </div>
  );
}

function Progress({ id }: { id: string }) {
  const { data, error } = useQuery(testProgressQuery(id));
  if (error && !data) return <p className={classes.problem}>{errorText(error)}</p>;
  return (
    <ul className={classes.devices} aria-live="polite">
      {data?.messages.map((message) => (
        <Message key={message.to} message={message} />
      ))}
    </ul>
  );
}

function Message({ message }: { message: MessageProgress }) {
  const { to, state, at, sentAt, deliveredAt } = message;
  const since = { delivered: deliveredAt, sent: sentAt }[state as string] ?? at;
  return (
    <li className={classes.device}>
      <div className={classes.text}>
        <div className={classes.deviceName}>{to || 'A browser that was removed'}</div>
        <div className={classes.deviceFacts}>
          {progressText(message)} · <Age at={since} />
        </div>
      </div>
    </li>
  );
}
