import { useQueryClient } from '@tanstack/react-query';
import { MUCH_FROM } from '@headrace/contract/limits';
import type { ListedUnit } from '@headrace/contract/unit-list';
import { inNaturalOrder } from '@headrace/contract/rules/natural-order';
import { wholeText } from '@headrace/contract/rules/number-text';
import { call } from '../../api/client.ts';
import { BACKED_UP_TEXT, ConfirmDialog } from '../../forms/confirm-dialog.tsx';
import { deviceCount, deviceKinds } from '../../device-records/device-kinds.ts';
import { offerUndo } from '../changes/undo.ts';
import { renewDevices } from '../changes/renew.ts';

const kind = deviceKinds.sprinkler;
/** So many are named, the others counted. */
const NAMED = 30;

export interface BulkDeleteProps {
  farmUID: string;
  chosen: readonly ListedUnit[];
  onDone: () => void;
  onClose: () => void;
}

/** Deletes several sprinklers at once after saying which, and what goes with them. */
export function BulkDelete({ farmUID, chosen, onDone, onClose }: BulkDeleteProps) {
  const queryClient = useQueryClient();
  return (
    <ConfirmDialog
      title={`Delete ${deviceCount(chosen.length, kind)}?`}
      confirm={`Delete ${deviceCount(chosen.length, kind)}`}
      doing="Deleting…"
      isUndoable
      run={() =>
        call('POST /ipc/bulk-delete', { body: { farmUID, deviceIds: chosen.map(({ _id }) => _id) } })
      }
      onDone={({ deleted, batchId }) => {
        const text = `${deviceCount(deleted, kind)} deleted.`;
        offerUndo(queryClient, text, { farmUID, batchId, act: 'delete sprinkler' });
        void renewDevices(queryClient);
        onDone();
      }}
      onClose={onClose}
    >
      {namesText(chosen)}. {inGroupsText(chosen)} The readings they have sent are kept, and their serial
      numbers are free. All are deleted, or none.
      {chosen.length >= MUCH_FROM && ` ${BACKED_UP_TEXT}`}
    </ConfirmDialog>
  );
}

function namesText(chosen: readonly ListedUnit[]): string {
  const names = inNaturalOrder(chosen.map(({ name, _id }) => ({ name, id: _id }))).map(({ name }) => name);
  const more = names.length - NAMED;
  return more > 0 ? `${names.slice(0, NAMED).join(', ')} and ${wholeText(more)} more` : names.join(', ');
}

function inGroupsText(chosen: readonly ListedUnit[]): string {
  const groups = new Set(chosen.flatMap((unit) => unit.groups)).size;
  const places =
    groups === 0 ? 'their schedules' : `${groups === 1 ? '1 group' : `${groups} groups`} and their schedules`;
  return `${chosen.length === 1 ? 'It leaves' : 'They leave'} the farm, ${places}.`;
}
