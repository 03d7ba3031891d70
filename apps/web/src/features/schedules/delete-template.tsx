import { useQueryClient } from '@tanstack/react-query';
import type { ScheduleTemplate } from '@headrace/contract/schedule-templates';
import { call } from '../../api/client.ts';
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx';
import { offerUndo } from '../changes/undo.ts';
import { renewTemplates } from './templates.queries.ts';

export function DeleteTemplate({ template, onClose }: { template: ScheduleTemplate; onClose: () => void }) {
  const queryClient = useQueryClient();
  return (
    <ConfirmDialog
      title={`Delete ${template.name}?`}
      confirm="Delete template"
      doing="Deleting…"
      run={() => call('DELETE /schedule-template', { query: { templateUID: template._id } })}
      isUndoable
      onDone={({ batchId }) => {
        const { farmUID, name } = template;
        offerUndo(queryClient, `${name} deleted.`, { farmUID, batchId, act: 'delete schedule template' });
        void renewTemplates(queryClient, farmUID);
      }}
      onClose={onClose}
    >
      Sprinklers keep what was sent to them.
    </ConfirmDialog>
  );
}
