import { useQueryClient } from '@tanstack/react-query';
import type { Timezone } from '@headrace/contract/farms';
import type { TakeGap } from '@headrace/contract/water-takes';
import { call } from '../../api/client.ts';
import { TextField } from '../../forms/fields.tsx';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { spanText } from '../../ui/format.ts';
import { takeKeys } from './takes.queries.ts';

interface GapDialogProps {
  farmUID: string;
  uid: string;
  gap: TakeGap;
  zone: Timezone;
  onClose: () => void;
}

/** What a person knows of why nothing was heard. */
export function GapDialog({ farmUID, uid, gap, zone, onClose }: GapDialogProps) {
  const queryClient = useQueryClient();
  const { from, to } = gap;
  const form = useRecordForm({
    draftKey: null,
    initial: { note: gap.note },
    validate: () => ({}),
    save: ({ note }) => call('PUT /water-take/gap', { body: { farmUID, uid, from, to, note } }),
    onSaved: () => {
      for (const queryKey of takeKeys(farmUID)) void queryClient.invalidateQueries({ queryKey });
      onClose();
    },
  });
  return (
    <FormDialog title="Why nothing is known" form={form} save="Save" saving="Saving…" onClose={onClose}>
      <p>{spanText({ from, to }, zone)}</p>
      <TextField
        {...form.field('note')}
        label="What happened"
        hint="It stands in the list of gaps. Nothing entered takes it away."
        maxLength={300}
      />
    </FormDialog>
  );
}
