import { useQueryClient } from '@tanstack/react-query';
import { supportReasonFault } from '@headrace/contract/rules/support-reason';
import { call } from '../../api/client.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { AreaField } from '../../forms/fields.tsx';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { toast } from '../../ui/toasts.ts';
import { renewSupport } from './support.queries.ts';
import classes from './support.module.css';

/** All rights on one farm for an hour, with a reason that its owner reads. */
export function OpenSession(props: { farm: { farmUID: string; name: string }; onClose: () => void }) {
  const { farm, onClose } = props;
  const queryClient = useQueryClient();
  const form = useRecordForm({
    draftKey: null,
    initial: { reason: '' },
    validate: ({ reason }) => {
      const fault = supportReasonFault(reason);
      return fault ? { reason: fault } : {};
    },
    save: ({ reason }) =>
      call('POST /support/session', { body: { farmUID: farm.farmUID, reason: reason.trim() } }),
    onSaved: ({ name }) => {
      toast.success(`Support session on ${name} opened.`);
      void renewSupport(queryClient);
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Open a session on ${farm.name}?`}
      onClose={onClose}
      form={form}
      save="Open session"
      saving="Opening…"
    >
      <p className={classes.text}>
        For one hour you may change everything on this farm. Its owner is told at once, and reads your reason.
      </p>
      <AreaField {...form.field('reason')} label="Reason" required rows={3} />
    </FormDialog>
  );
}
