import { Button } from '@mantine/core';
import type { Timezone } from '@headrace/contract/farms';
import type { PaddockHold } from '@headrace/contract/paddock-holds';
import { errorText } from '../../api/client.ts';
import { exactTime } from '../../ui/format.ts';
import { HoldEndLines } from './hold-end-lines.tsx';
import { holdText } from './hold-labels.ts';
import { useHoldChanges } from './holds.queries.ts';
import form from '../../forms/dialog-form.module.css';
import classes from './holds.module.css';

const DAY_MS = 86_400_000;

interface Props {
  farmUID: string;
  zone: Timezone;
  holds: readonly PaddockHold[];
}

/** What is held, how many of it said that they stopped, and the ways to make it longer or end it. */
export function HoldList({ farmUID, zone, holds }: Props) {
  const { change, end } = useHoldChanges(farmUID);
  const isBusy = change.isPending || end.isPending;
  const error = change.error ?? end.error;
  return (
    <>
      <ul className={classes.holds} aria-label="Holds">
        {holds.map((hold) => (
          <li key={hold.uid} className={classes.hold}>
            <p className={classes.name}>
              {hold.name}
              {hold.reason && `: ${hold.reason}`}
            </p>
            <p role="status">{holdText(hold, zone)}.</p>
            {hold.end && <HoldEndLines end={hold.end} total={hold.total} zone={zone} />}
            <p className={classes.dim}>
              {hold.by && `By ${hold.by}, `}
              {exactTime(Date.parse(hold.from), zone)}
            </p>
            <div className={classes.ways}>
              {hold.endedAt === null && (
                <Button
                  variant="default"
                  mih={44}
                  disabled={isBusy}
                  aria-label={`A day longer: ${hold.name}`}
                  onClick={() =>
                    change.mutate({
                      uid: hold.uid,
                      until: new Date(Date.parse(hold.until) + DAY_MS).toISOString(),
                    })
                  }
                >
                  A day longer
                </Button>
              )}
              <Button
                variant="default"
                mih={44}
                disabled={isBusy}
                aria-label={`Let water again: ${hold.name}`}
                onClick={() => end.mutate(hold)}
              >
                {hold.endedAt === null ? 'End now' : `Uninhibit ${hold.stillStopped.length}`}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {error !== null && (
        <p role="alert" className={form.failed}>
          {errorText(error)}
        </p>
      )}
    </>
  );
}
