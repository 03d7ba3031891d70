import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { SetSummary } from '@headrace/contract/schedule-sets';
import { call, errorText } from '../../api/client.ts';
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx';
import { toast } from '../../ui/toasts.ts';
import { UNDO_OFFERED_MS } from '../changes/undo.ts';
import { renewSets } from './sets.queries.ts';

interface Props {
  set: SetSummary;
  farmUID: string;
  onClose: () => void;
}

/** Asks once. Somebody may have sent it meanwhile: then it stays, and says why. */
export function DeleteSet({ set, farmUID, onClose }: Props) {
  const queryClient = useQueryClient();
  return (
    <ConfirmDialog
      title={`Delete ${set.name}?`}
      confirm="Delete set"
      doing="Deleting…"
      run={() => call('DELETE /schedules', { query: { farmUID, setUID: set._id } })}
      onDone={({ deleted, reason }) => {
        if (deleted)
          toast.success('Schedule set deleted successfully!', {
            durationMs: UNDO_OFFERED_MS,
            action: { label: 'Undo', run: () => void restore(queryClient, { set, farmUID }) },
          });
        else toast.error(failedText(reason));
        void renewSets(queryClient, farmUID);
      }}
      onClose={onClose}
    >
      Sprinklers keep what was sent to them. It can be restored for 30 days: Undo is offered right after.
    </ConfirmDialog>
  );
}

const failedText = (reason: string | undefined) =>
  reason === undefined
    ? 'Schedule set delete failed, please contact support!'
    : `Schedule set couldn't be deleted! ${reason}`;

async function restore(queryClient: QueryClient, { set, farmUID }: Omit<Props, 'onClose'>): Promise<void> {
  try {
    await call('POST /schedules/restore', { body: { farmUID, setUID: set._id } });
    toast.success(`${set.name} is back.`);
  } catch (error) {
    toast.error(errorText(error));
  }
  await renewSets(queryClient, farmUID);
}
