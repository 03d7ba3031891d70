import { useState } from 'react';
import { Button, Checkbox } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Change } from '@headrace/contract/changes';
import type { Timezone } from '@headrace/contract/farms';
import type { UndoConflict } from '@headrace/contract/undo';
import { call, errorText } from '../../api/client.ts';
import { Dialog, Ways } from '../../forms/dialog.tsx';
import { exactTime } from '../../ui/format.ts';
import { toast } from '../../ui/toasts.ts';
import { undoLabels } from './change-labels.ts';
import { renewDevices } from './renew.ts';
import { choicesOf, undoneText } from './undo.ts';
import classes from './changes.module.css';

export interface UndoDialogProps {
  farmUID: string;
  undo: NonNullable<Change['undo']>;
  zone: Timezone | null;
  onClose: () => void;
}

/** Undoes what was done as one; asks about each record that somebody changed since. */
export function UndoDialog({ farmUID, undo, zone, onClose }: UndoDialogProps) {
  const queryClient = useQueryClient();
  const [back, setBack] = useState<ReadonlySet<string>>(new Set());
  const { title, was, ...batch } = undo;
  const labels = undoLabels[was];
  const run = useMutation({
    mutationFn: (conflicts: readonly UndoConflict[]) => {
      const uids = conflicts.map(({ uid }) => uid);
      const keep = uids.filter((uid) => !back.has(uid));
      return call('POST /undo', { body: { farmUID, ...batch, keep, putBack: [...back] } });
    },
    onSuccess: (reply) => {
      toast.success(undoneText(reply, was === 'undone' ? 'Done again' : 'Undone'));
      onClose();
      void renewDevices(queryClient);
    },
  });
  const choices = choicesOf(run.error);
  const [asked, setAsked] = useState(choices);
  if (choices && choices !== asked) setAsked(choices);
  const toggle = (uid: string, isBack: boolean) => {
    const next = new Set(back);
    if (isBack) next.add(uid);
    else next.delete(uid);
    setBack(next);
  };
  return (
    <Dialog title={labels.title} onClose={onClose}>
      <p className={classes.text}>{labels.said(title)}</p>
      {asked ? (
        <Conflicts
          conflicts={asked.conflicts}
          others={asked.others}
          zone={zone}
          back={back}
          toggle={toggle}
        />
      ) : (
        <p className={classes.text}>{labels.effect} Commands that went out are not called back.</p>
      )}
      {run.isError && !choices && (
        <p className={classes.text} role="alert">
          {errorText(run.error)}
        </p>
      )}
      <Ways>
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button
          aria-disabled={run.isPending}
          onClick={() => !run.isPending && run.mutate(asked?.conflicts ?? [])}
        >
          {run.isPending ? labels.doing : labels.offer}
        </Button>
      </Ways>
    </Dialog>
  );
}

interface ConflictsProps {
  conflicts: readonly UndoConflict[];
  others: number;
  zone: Timezone | null;
  back: ReadonlySet<string>;
  toggle: (uid: string, isBack: boolean) => void;
}

function Conflicts({ conflicts, others, zone, back, toggle }: ConflictsProps) {
  return (
    <>
      <p className={classes.text} role="status">
        {others === 0 ? 'These' : `${others} go back. These`} were changed since. Tick those that are to be as
        before; the others stay as they are now.
      </p>
      <ul className={classes.conflicts}>
        {conflicts.map((conflict) => (
          <li key={conflict.uid}>
            {conflict.canPutBack ? (
              <Checkbox
                size="md"
                label={`Put back ${conflict.name}`}
                description={changedText(conflict, zone)}
                checked={back.has(conflict.uid)}
                onChange={(event) => toggle(conflict.uid, event.currentTarget.checked)}
              />
            ) : (
              `${conflict.name} stays as it is. ${conflict.why}`
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

const changedText = ({ by, at, why }: UndoConflict, zone: Timezone | null): string => {
  if (why !== '') return why;
  return at === null
    ? 'Changed since.'
    : `${by || 'Somebody'} changed it ${exactTime(Date.parse(at), zone)}.`;
};
