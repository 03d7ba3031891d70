import { NativeSelect } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { TEMPLATE_NAME_MAX } from '@headrace/contract/limits';
import { can } from '@headrace/contract/permissions';
import type { ScheduleTemplate } from '@headrace/contract/schedule-templates';
import { call } from '../../api/client.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { TextField } from '../../forms/fields.tsx';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { toast } from '../../ui/toasts.ts';
import { mayOn, permissionsQuery } from '../../access/permissions.ts';
import { farmsCardQuery } from '../../farm/farms.queries.ts';
import { copiedText } from './template-labels.ts';
import { renewTemplates } from './templates.queries.ts';

const need = { allOf: [can('schedules', 'Read'), can('schedules', 'Create')] };

/** A copy under another name, on this farm or another, where its groups are those of the same names. */
export function CopyTemplate({ template, onClose }: { template: ScheduleTemplate; onClose: () => void }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { data: permissions = [] } = useQuery(permissionsQuery);
  const { data: farms = [] } = useQuery(farmsCardQuery);
  const form = useRecordForm({
    draftKey: null,
    initial: { name: `${template.name.slice(0, TEMPLATE_NAME_MAX - 7)} (copy)`, farmUID: template.farmUID },
    validate: ({ name }) => (name.trim() === '' ? { name: 'Name is required.' } : {}),
    save: async (values) => ({
      values,
      reply: await call('POST /schedule-template/clone', { body: { templateUID: template._id, ...values } }),
    }),
    onSaved: ({ values, reply }) => {
      const params = { farmUID: values.farmUID, id: reply.templateUID };
      toast.success(copiedText(values.name, reply.missing), {
        action: { label: 'Open', run: () => void navigate({ to: '/scheduler/$farmUID/$id', params }) },
      });
      void renewTemplates(queryClient, values.farmUID);
      onClose();
    },
  });
  const there = farms.filter(({ _id }) => mayOn(permissions, _id, need));
  return (
    <FormDialog
      title={`Copy ${template.name}`}
      onClose={onClose}
      size={480}
      form={form}
      save="Copy"
      saving="Copying…"
    >
      <TextField {...form.field('name')} label="Name" required maxLength={TEMPLATE_NAME_MAX} />
      <NativeSelect
        size="md"
        label="Farm"
        name="farmUID"
        description="On another farm its groups are those of the same names."
        data={there.map(({ _id, name }) => ({ value: _id, label: name }))}
        value={form.values.farmUID}
        error={form.error('farmUID')}
        onChange={(event) => form.patch({ farmUID: event.currentTarget.value })}
      />
    </FormDialog>
  );
}
