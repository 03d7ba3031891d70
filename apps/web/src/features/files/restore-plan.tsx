import { useState } from 'react';
import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Backup, RestorePlan } from '@headrace/contract/backups';
import type { FarmCard } from '@headrace/contract/farms';
import { wholeText } from '@headrace/contract/rules/number-text';
import { ApiError, call, errorText } from '../../api/client.ts';
import { Ways } from '../../forms/dialog.tsx';
import { takeLostFocus } from '../../ui/take-lost-focus.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { offerUndo } from '../changes/undo.ts';
import { renewDevices } from '../changes/renew.ts';
import { nameOf, notRestoredText, restoreText } from './backup-labels.ts';
import { FileDone } from './file-dialog.tsx';
import { RestoreRows } from './restore-rows.tsx';
import classes from './files.module.css';

interface StepProps {
  farm: FarmCard;
  backup: Backup;
  onBack: () => void;
  onClose: () => void;
}

/** What restoring would do is looked at first; then it is done, as one that can be undone. */
export function RestorePlanStep({ farm, backup, onBack, onClose }: StepProps) {
  const queryClient = useQueryClient();
  const body = { farmUID: farm._id, bakUID: backup._id };
  const [newer, setNewer] = useState<RestorePlan | null>(null);
  const [undone, setUndone] = useState('');
  const query = useQuery({
    queryKey: ['backup-plan', farm._id, backup._id],
    queryFn: () => call('POST /backup/plan', { body }),
    staleTime: 0,
  });
  const restore = useMutation({
    mutationFn: ({ revision }: RestorePlan) => call('PUT /backup/restore', { body: { ...body, revision } }),
    onSuccess: ({ restored, batchId }) => {
      const text = `${wholeText(restored)} restored.`;
      const act = { farmUID: farm._id, act: 'restore', batchId } as const;
      offerUndo(queryClient, text, act, { onUndone: setUndone });
      void renewDevices(queryClient);
    },
    onError: (error) => {
      if (isOvertaken(error)) setNewer(error.current as RestorePlan);
    },
  });
  if (restore.data) {
    const { restored, stayed } = restore.data;
    const heading = doneText(restored, stayed);
    return <FileDone {...{ heading, undone, onClose }} farmUID={farm._id} />;
  }
  return (
    <StateView
      query={query}
      skeleton={<Skeleton blocks={3} blockPx={48} />}
      failed="What the restore would do couldn't be found out"
    >
      {(first) => {
        const plan = newer ?? first;
        const { counts } = plan;
        const all = counts['come back'] + counts['change back'] + counts['take off'];
        return (
          <>
            <div ref={takeLostFocus} tabIndex={-1} role="status">
              <p className={classes.summary}>{restoreText(plan)}</p>
              {all > 0 && (
                <p className={classes.text}>
                  Readings and history stay. A backup of now is made first. Gateways are sent their lists of
                  units, and their inputs and relays where those change. Sprinklers that are taken off are
                  cleared; those that come back and were cleared are sent their schedule again. No other
                  schedule is sent.
                </p>
              )}
            </div>
            {restore.isError && (
              <p role="alert" className={classes.failed}>
                {isOvertaken(restore.error) ? '' : notRestoredText(nameOf(backup))} {errorText(restore.error)}
              </p>
            )}
            <RestoreRows plan={plan} />
            <Ways isLong>
              <Button variant="default" mih={44} onClick={onBack} disabled={restore.isPending}>
                Back
              </Button>
              {all > 0 && (
                <Button mih={44} loading={restore.isPending} onClick={() => restore.mutate(plan)}>
                  {`Restore ${wholeText(all)}`}
                </Button>
              )}
            </Ways>
          </>
        );
      }}
    </StateView>
  );
}

/** The farm has changed since: there is a new plan, and nothing failed. */
const isOvertaken = (error: Error): error is ApiError =>
  error instanceof ApiError && error.field === 'revision' && error.current !== undefined;

const doneText = (restored: number, stayed: number) => {
  const left = stayed > 0 ? ` ${wholeText(stayed)} left as they are.` : '';
  return `${wholeText(restored)} restored.${left}`;
};
