import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Api } from '@headrace/contract/api';
import { countText } from '@headrace/contract/rules/number-text';
import { DECODING_MS_PER_MINUTE, UPLINKS_KEPT } from '@headrace/contract/limits';
import { call, errorText } from '../../api/client.ts';
import { Age } from '../../ui/age.tsx';
import { numberText } from '../../ui/format.ts';
import { RoomNote } from '../../ui/room-note.tsx';
import { decodingQuery } from './codecs.queries.ts';
import classes from './codecs.module.css';

type Decoding = Api['GET /sensor/decoding']['reply'];
type Anew = NonNullable<Decoding['anew']>;

/** From this on a codec is why messages wait, ms for one; usual ones take a millisecond or two. */
const SLOW_MS = 100;
const messages = (count: number) => countText(count, 'message');

/** What of the sensor is stored and not decoded yet, and why it takes that long. */
export function WaitingMessages({ waiting }: Pick<Decoding, 'waiting'>) {
  if (!waiting) return null;
  const { count, since, tookMs } = waiting;
  return (
    <p className={classes.fault} role="status">
      {messages(count)} {count === 1 ? 'waits' : 'wait'} to be decoded, <Age at={since}>the oldest came</Age>.
      Nothing is lost.
      {tookMs !== null && tookMs >= SLOW_MS && (
        <>
          {' '}
          The codec took {numberText(tookMs)} ms for the last one; all codecs of a farm have{' '}
          {DECODING_MS_PER_MINUTE.farm / 1000} seconds of each minute.
        </>
      )}
    </p>
  );
}

/** Has stored messages decoded once more, and says how far that is. */
export function DecodeAnew({ deviceId, decoding }: { deviceId: string; decoding: Decoding }) {
  const queryClient = useQueryClient();
  const { keptSince, anew } = decoding;
  const onSuccess = () => queryClient.invalidateQueries({ queryKey: decodingQuery(deviceId).queryKey });
  const ask = useMutation({
    mutationFn: () => call('POST /sensor/decoding/anew', { body: { deviceId } }),
    onSuccess,
  });
  const cancel = useMutation({
    mutationFn: (id: string) => call('POST /job/cancel', { body: { id } }),
    onSuccess,
  });
  const fault = ask.error ?? cancel.error;
  const jobId = anew?.finishedAt === null ? anew.jobId : undefined;
  if (keptSince === null && anew === null) return null;
  return (
    <section className={classes.anew} aria-labelledby="decode-anew">
      <h3 id="decode-anew">After a change</h3>
      <p className={classes.dim}>
        Messages are kept as they came for {UPLINKS_KEPT.days} days
        {keptSince !== null && (
          <>
            ; <Age at={keptSince}>the oldest is from</Age>
          </>
        )}
        . Decoded anew, their values become those of the codec and mapping that are saved: what differs is
        changed, and what a message no longer gives is removed. What can't be decoded keeps its old values.
      </p>
      {anew && <Progress anew={anew} />}
      {fault && (
        <p className={classes.fault} role="alert">
          {errorText(fault)}
        </p>
      )}
      {keptSince !== null && (
        <RoomNote {...decoding.anewRoom} what="messages that a farm may have decoded anew in 24 hours" />
      )}
      {keptSince !== null && (
        <Button
          variant="default"
          mih={44}
          aria-disabled={ask.isPending}
          onClick={() => !ask.isPending && ask.mutate()}
        >
          {anew && anew.finishedAt === null
            ? 'Begin from the beginning'
            : `Decode the last ${UPLINKS_KEPT.days} days anew`}
        </Button>
      )}
      {jobId !== undefined && (
        <Button
          variant="subtle"
          mih={44}
          ml={8}
          aria-disabled={cancel.isPending}
          onClick={() => !cancel.isPending && cancel.mutate(jobId)}
        >
          Cancel decoding
        </Button>
      )}
    </section>
  );
}

function Progress({ anew: { total, done, changed, failed, problem, finishedAt } }: { anew: Anew }) {
  if (finishedAt === null)
    return (
      <div className={classes.progress} role="status">
        <progress aria-label="Decoded anew" value={done} max={Math.max(total, 1)} />
        <span className="num">
          {numberText(done)} of {messages(total)}
        </span>
      </div>
    );
  if (done < total)
    return (
      <p role="status">
        <Age at={finishedAt}>Cancelled</Age>: {numberText(done)} of {messages(total)} were decoded anew, and{' '}
        {numberText(changed)} {changed === 1 ? 'has' : 'have'} other values now. The others are as they were.
      </p>
    );
  return (
    <p role="status">
      <Age at={finishedAt}>Decoded anew</Age>: of {messages(total)} {numberText(changed)}{' '}
      {changed === 1 ? 'has' : 'have'} other values now.
      {failed > 0 && (
        <>
          {' '}
          {numberText(failed)} could not be decoded, or not in all, and {failed === 1 ? 'keeps' : 'keep'} the
          old values of that{problem && ` (${problem})`}.
        </>
      )}
    </p>
  );
}
