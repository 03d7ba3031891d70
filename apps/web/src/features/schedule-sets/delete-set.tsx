import { useQueryClient } from '@tanstack/react-query';
import type { SetSummary } from '@headrace/contract/schedule-sets';
import { call } from '../../api/client.ts';
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx';
import { toast } from '../../ui/toasts.ts';
import { offerUndo } from '../changes/undo.ts';
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
      isUndoable
      onDone={({ deleted, reason, batchId }) => {
        const done = { farmUID, batchId, act: 'delete schedule set' } as const;
        if (deleted) offerUndo(queryClient, 'Schedule set deleted successfully!', done);
        else toast.error(failedText(reason));
        void renewSets(queryClient, farmUID);
      }}
      onClose={onClose}
    >
      Sprinklers keep what was sent to them.
    </ConfirmDialog>
  );
}

const failedText = (reason: string | undefined) =>
  reason === undefined
    ? 'Schedule set delete failed, please contact support!'
    : `Schedule set couldn't be deleted! ${reason}`;
