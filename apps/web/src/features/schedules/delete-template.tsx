import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { ScheduleTemplate } from '@headrace/contract/schedule-templates';
import { call, errorText } from '../../api/client.ts';
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx';
import { toast } from '../../ui/toasts.ts';
import { UNDO_OFFERED_MS } from '../changes/undo.ts';
import { renewTemplates } from './templates.queries.ts';

export function DeleteTemplate({ template, onClose }: { template: ScheduleTemplate; onClose: () => void }) {
  const queryClient = useQueryClient();
  return (
    <ConfirmDialog
      title={`Delete ${template.name}?`}
      confirm="Delete template"
      doing="Deleting…"
      run={() => call('DELETE /schedule-template', { query: { templateUID: template._id } })}
      onDone={() => {
        toast.success(`${template.name} deleted.`, {
          durationMs: UNDO_OFFERED_MS,
          action: { label: 'Undo', run: () => void restore(queryClient, template) },
        });
        void renewTemplates(queryClient, template.farmUID);
      }}
      onClose={onClose}
    >
      Sprinklers keep what was sent to them. Undo is offered right after.
    </ConfirmDialog>
  );
}

async function restore(queryClient: QueryClient, { _id, name, farmUID }: ScheduleTemplate): Promise<void> {
  try {
    await call('POST /schedule-template/restore', { body: { templateUID: _id } });
    toast.success(`${name} is back.`);
  } catch (error) {
    toast.error(errorText(error));
  }
  await renewTemplates(queryClient, farmUID);
}
